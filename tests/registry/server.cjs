// A registry on loopback: `node server.cjs VERDACCIO FOLDER`, where VERDACCIO is a folder whose
// `node_modules` has it, and FOLDER keeps the packages. Prints its port, ends with stdin.
const { join } = require("node:path");
const { runServer } = require(join(process.argv[2], "node_modules", "verdaccio"));

const folder = process.argv[3];
const config = {
  self_path: folder,
  storage: join(folder, "storage"),
  auth: { htpasswd: { file: join(folder, "htpasswd") } },
  uplinks: {},
  packages: {
    "@private/*": { access: "$authenticated", publish: "$authenticated" },
    "**": { access: "$all", publish: "$authenticated" },
  },
  web: { enable: false },
  log: { type: "stdout", level: "fatal" },
};

runServer(config).then((server) => {
  server.listen(0, "127.0.0.1", () => console.log(`port ${server.address().port}`));
});
process.stdin.resume().on("end", () => process.exit(0));
