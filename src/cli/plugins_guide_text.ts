// Generated from plugins/README.md by: sh scripts/deno run -RW scripts/generate_guide.ts
// deno-fmt-ignore-file

/** The plugin guide, in Markdown. */
export const PLUGIN_GUIDE: string = `# Karotte plugins

A plugin is a JavaScript or TypeScript module: a file of yours, or a package from npm or JSR. It
fills _entry points_: named slots for secrets, hardware, commands, templates and more. It is code
that you trust, and it runs with your rights, on your machine, never in the sandbox.

\`karotte plugins guide\` prints this text. The files beside it are complete plugins: \`secrets.ts\`,
\`gpu.ts\`, \`cli_tool/\` (a command) and \`template_package/\` (a package for npm).

## A first plugin

\`\`\`ts
// my_plugin.ts
import { definePlugin } from "jsr:@karotte/cli@^0.1/sdk";

export default definePlugin({
  name: "my-plugin",
  entryPoints: {
    "karotte.harness_secret_env": { my_plugin: ["ACME_TOKEN"] },
    "karotte.run_config_preprocessors": {
      my_plugin: (config) => ({ ...config, turn_limit: config.turn_limit ?? 50 }),
    },
  },
});
\`\`\`

\`entryPoints\` holds, by entry point, named _entries_; each is the value itself. Where importing the
value costs something, say \`lazy(() => import("./module.ts"), "export")\` instead: it is imported
when it is needed. The sdk may be called \`jsr:@karotte/cli@^0.1/sdk\` or \`@karotte/cli/sdk\`. Karotte
answers both with its own copy, so nothing is downloaded; a range that the running version does not
satisfy is an error that names both.

## Register it

\`karotte.plugins.json\`, in the environment or above it, names what to load. Comments are fine:

\`\`\`jsonc
// karotte.plugins.json
{
  // Modules whose default export is a definePlugin().
  "plugins": ["./my_plugin.ts", "./machines.ts"],
  // Or single exports, "module#export", by entry point and name.
  "entryPoints": {
    "karotte.platform_tooling_dirs": { "site": "./site.ts#TOOLING" }
  }
}
\`\`\`

Paths are relative to the manifest. The commands below edit and show it; \`plugins add\` and
\`plugins list\` import nothing, and \`plugins check\` loads everything, shows the values that win, and
records in \`karotte.plugins.lock.json\` what each plugin adds: commit that file.

\`\`\`sh
karotte plugins add ./my_plugin.ts npm:karotte-acme@2 jsr:@acme/karotte-gpu@^1
karotte plugins list
karotte plugins check
karotte plugins remove karotte-acme
karotte plugins schema
\`\`\`

What \`plugins schema\` prints, saved beside the manifest and named there as \`"$schema"\`, makes
editors complete it. For one command, without a manifest:

\`\`\`sh
karotte run --task greet --fake-model --with ./my_plugin.ts
\`\`\`

Manifests in the order in which they win:

1. \`--with SPEC\`, a module
2. \`--plugins FILE\`
3. \`$KAROTTE_PLUGINS\`, the path of a manifest
4. \`karotte.plugins.json\` of the environment (\`-C DIR\`, or the current folder)
5. those of the folders above it, up to the repository's root or your home
6. \`~/.config/karotte/plugins.json\`: yours, for all environments (\`karotte plugins add --user\`)

All of them count. If two have an entry of the same name for the same entry point, the first wins,
with a warning; in one manifest \`entryPoints\` wins over \`plugins\`. \`--no-plugins\` loads none. All
these flags stand after a command that reads plugins, or before any command.

**Who may write it.** Manifests that nobody named (4 to 6) are read only if they, their folder and
all folders above belong to you or root, and nobody else may write there. Otherwise a warning says
which folder it is, and nothing of it is loaded. So a manifest in \`/tmp\`, or in a folder that others
share, must be named with \`--plugins\`. A stranger's environment that you clone belongs to you all
the same: what its manifest names takes effect only after \`karotte trust\`, and
\`karotte trust --show\` says what that is (\`docs/trust.md\`).

## The entry points

| entry point                | value                                                       | several entries                                      |
| -------------------------- | ----------------------------------------------------------- | ---------------------------------------------------- |
| \`cli\`                      | \`{ description, main(args, context) }\`                      | each a command, named after its entry                |
| \`run_config_preprocessors\` | \`(config) => config\`, or a promise of one                   | all, by name; each gets what the one before returned |
| \`default_proxy_url\`        | URL                                                         | the first by name that loads                         |
| \`harness_secret_env\`       | list of variable names                                      | all of them                                          |
| \`platform_tooling_dirs\`    | list of absolute paths                                      | all of them                                          |
| \`age_delay_exemptions\`     | list of package names                                       | all of them                                          |
| \`update_migrations\`        | \`{ prepare?, tool?, migrate? }\`                             | all, by name; of \`tool\` the first answer but null    |
| \`default_hardware\`         | text                                                        | the first by name that loads                         |
| \`hardware_limits\`          | \`(hardware) => limits\`, or null                             | only the first by name that loads is asked           |
| \`container_run_args\`       | \`(task, runtime) => string[]\`                               | all, by name, one list after the other               |
| \`cli_agents\`               | class that extends \`CliAgent\`                               | each, by its \`name\`                                  |
| \`templates\`                | folder: path, or \`new URL("./templates/", import.meta.url)\` | each template; the same id from two is an error      |

Names may be written \`karotte.x\`, \`chalk.x\` or \`x\`; entries are sorted by name, whichever plugin
they come from: call them \`10-acme\` and \`20-acme\` where the order matters. A plugin never replaces a
built-in command or agent (it is ignored, with a warning); a template may replace one of ours, with
a warning. In this version \`default_proxy_url\`, \`cli_agents\`, \`platform_tooling_dirs\` and
\`update_migrations\` are loaded, checked and merged; what makes use of them comes later.

### cli

A command: \`karotte hello\`. \`main\` gets all that stands after the name, \`--help\` too; the number
that it returns is the exit status.

\`\`\`ts
// hello.ts
import { definePlugin } from "jsr:@karotte/cli@^0.1/sdk";

export default definePlugin({
  name: "hello",
  entryPoints: {
    "karotte.cli": {
      hello: {
        description: "Greets whom it is told to.",
        main([name], { path, printLine, logLine }) {
          if (name === undefined) {
            logLine(\`usage: \${path} NAME\`);
            return 2;
          }
          printLine(\`Hello, \${name}!\`);
          return 0;
        },
      },
    },
  },
});
\`\`\`

### run_config_preprocessors

Called once for each \`karotte run\`, after flags were applied and before keys are looked up. What
they return is checked like any run config. They may refuse the run with a throw.

\`\`\`ts
// house_rules.ts
import { definePlugin } from "jsr:@karotte/cli@^0.1/sdk";

export default definePlugin({
  name: "house-rules",
  entryPoints: {
    "karotte.run_config_preprocessors": {
      house_rules: async (config) => {
        const banned = await Deno.readTextFile(new URL("./banned.txt", import.meta.url))
          .catch(() => "");
        if (banned.split("\\n").includes(config.model)) throw new Error(\`not \${config.model}\`);
        return config;
      },
    },
  },
});
\`\`\`

### harness_secret_env

Variables that judges and hooks may see (\`Deno.env\`; programs of judges have them too), and no
process of the student, tools included. Their values are taken out of transcripts and of what is
shown. They get into the sandbox by \`--env NAME\`. All other variables of \`--env\` and of the image
are the student's: judges and hooks find them in \`context.variables\`, and their programs do not have
them.

\`\`\`ts
// tokens.ts
import { definePlugin } from "jsr:@karotte/cli@^0.1/sdk";

export default definePlugin({
  name: "tokens",
  entryPoints: { "karotte.harness_secret_env": { tokens: ["ACME_TOKEN", "ACME_PASSWORD"] } },
});
\`\`\`

### default_hardware, hardware_limits, container_run_args

Karotte knows no names of hardware: a task's \`requiredHardware\`, or \`default_hardware\` for those
that name none, is handed to \`hardware_limits\`. \`memory_bytes\` is that of the whole sandbox; the
harness keeps 1 GiB of it, so it must be more than that. \`passthrough\` is for devices: such a run is
on docker, unless \`--runtime\` names another; bubblewrap refuses it. Null, or nothing, means "not
mine": a warning says so, and it is the machine's memory that counts. A second \`hardware_limits\` is
not asked, and a warning names it.

All \`container_run_args\` are called before every launch, whatever the runtime, so that one can
refuse it with a throw. \`task.required_hardware\` is what the task names, else \`default_hardware\`:
[Hardware and limits](../docs/hardware.md) has a plugin for GPUs. What they return is for container
engines, as it is, after our options; on bubblewrap it has no effect, and a warning says so.

\`\`\`ts
// machines.ts
import { definePlugin } from "jsr:@karotte/cli@^0.1/sdk";

export default definePlugin({
  name: "machines",
  entryPoints: {
    "karotte.default_hardware": { machines: "small" },
    "karotte.hardware_limits": {
      machines: (hardware) =>
        hardware === "small" ? { memory_bytes: 4 * 1024 ** 3, cpus: 2 } : null,
    },
    "karotte.container_run_args": {
      machines: (task, runtime) =>
        task.required_hardware === "gpu" && runtime === "docker" ? ["--gpus", "all"] : [],
    },
  },
});
\`\`\`

### default_proxy_url, platform_tooling_dirs, age_delay_exemptions

The proxy that models are called through where neither \`--proxy\` nor \`--no-proxy\` is given (empty
for none); folders that graded runs must not see; packages that may be installed although they are
younger than 7 days. Exports may also be named one by one, as the manifest above does for \`TOOLING\`.

\`\`\`ts
// site.ts
import { definePlugin } from "jsr:@karotte/cli@^0.1/sdk";

export const TOOLING = ["/opt/acme/bin"];

export default definePlugin({
  name: "site",
  entryPoints: {
    "karotte.default_proxy_url": { site: "https://models.acme.example" },
    "karotte.platform_tooling_dirs": { site: TOOLING },
    "karotte.age_delay_exemptions": { site: ["@acme/karotte-gpu"] },
  },
});
\`\`\`

### cli_agents

A coding agent that drives the student in place of Karotte's own loop. The class, not an instance;
it is known by its \`name\`. Its constructor must have no effects.

\`\`\`ts
// agents.ts
import { CliAgent, definePlugin } from "jsr:@karotte/cli@^0.1/sdk";

class AcmeAgent extends CliAgent {
  readonly name = "acme";
  readonly version = "1.2.3";
  readonly providerUrl = "https://api.acme.example";
  static override install(): string[] {
    return ["npm install --global acme-agent@1.2.3"];
  }
}

export default definePlugin({
  name: "agents",
  entryPoints: { "karotte.cli_agents": { acme: AcmeAgent } },
});
\`\`\`

### templates, update_migrations

A folder in which each folder is a template for \`karotte create-env --template ID\`. An id has
lower-case letters, digits and inner hyphens. Files are UTF-8 text; those that end in \`.njk\` are
rendered (\`{{ env_name }}\`, \`{{ package_name }}\`, \`{{ karotte_version }}\`, \`{{ templates }}\`),
\`partials/\` is for includes only. A file replaces that of the same path of the templates before it.
\`update_migrations\` goes with them: what to rename or rewrite when such an environment is updated.

\`\`\`ts
// my_templates.ts
import { definePlugin } from "jsr:@karotte/cli@^0.1/sdk";

export default definePlugin({
  name: "my-templates",
  entryPoints: {
    "karotte.templates": { my_templates: new URL("./templates/", import.meta.url) },
    "karotte.update_migrations": {
      my_templates: {
        migrate: (_baseline, project, oldVersion) => {
          if (oldVersion.startsWith("0.")) Deno.renameSync(\`\${project}/a.txt\`, \`\${project}/b.txt\`);
        },
      },
    },
  },
});
\`\`\`

Each has a \`template.json\`, here \`templates/essay/template.json\`:

\`\`\`json
{
  "description": "A task about an essay",
  "requires": ["default"],
  "do_not_recreate_if_deleted": ["student_data/essay.txt"]
}
\`\`\`

\`\`\`sh
karotte templates list --with ./my_templates.ts
karotte create-env essays --with ./my_templates.ts --template essay
\`\`\`

The environment's \`.manifest.json\` records the templates, and in \`extra_deps\` the packages, with
their versions, that they came from. npm leaves \`.gitignore\` out of packages: call it
\`.gitignore.njk\`.

## When something is wrong

- A manifest that is no JSON, or has a field of the wrong kind, stops the command with file, line
  and column: exit status 2. One that names what can't be a plugin: exit status 4.
- An unknown entry point is a warning with a guess at what was meant; nothing else is lost.
- **An entry that can't be used is skipped, with one warning**: plugin, entry point, cause,
  manifest. That is a missing file, package or export, a module that throws or whose top level does
  not settle within 10 seconds, a native add-on, a value of the wrong kind.
- A preprocessor that does not load, and a template that two plugins have, fail the command: exit
  status 4. So does what plugins throw when they are called: a preprocessor, limits, arguments of a
  container (which refuses the launch), a command's \`main\`; and what they return, if it is wrong.
- A skipped entry of \`harness_secret_env\`, \`hardware_limits\` or \`container_run_args\` changes what a
  run means, so its summary and transcript say it again.
- Where a run hands variables over (\`--env\`) and an entry of \`harness_secret_env\` can't be used, the
  run does not start: exit status 4. One of them may be the secret.
- \`--strict-plugins\`, or \`"strict": true\` in a manifest, makes every failure fatal: exit status 4.
  Use it in CI.

**A module of \`"plugins"\` that can't be loaded** can't say what it adds. It is told from the lock
file and from what was known when it was loaded last, as long as its files are the same; else from
the text of the module and of the local files that it imports, which is searched for the names of
entry points, besides what was recorded.

| what it adds, for all that is known | \`karotte run\`                         | \`karotte build\` | elsewhere |
| ----------------------------------- | ------------------------------------- | --------------- | --------- |
| \`run_config_preprocessors\` among it | exit status 4                         | exit status 4   | a warning |
| \`harness_secret_env\` among it       | a warning; with \`--env\` exit status 4 | a warning       | a warning |
| neither                             | a warning                             | a warning       | a warning |
| not known, and recorded nowhere     | exit status 4                         | exit status 4   | a warning |

Not known means: its file, or a local file that it imports, is missing or can't be read; no text
names an entry point, as that of a package that is not there; or a file that imports a package may
take entries from it: it spreads or copies values (\`...acme\`, \`Object.assign\`), has computed keys,
or spells out no \`entryPoints\`. In that last case it is not known either where an older state of the
files was recorded. \`karotte plugins check\` where it can be loaded, and a commit of the lock file,
make it known.

While plugins are read, \`Deno.exit\` and \`process.exit\` throw; a command's \`main\` may use them. A
promise that is rejected when nobody waits for it is a warning. Whatever is thrown, an error or not,
is told as one line; \`KAROTTE_DEBUG=1\` adds stack traces of our own errors.

**Out of reach**, since plugins run in our process: \`Deno.kill(Deno.pid)\` and other ways of
self-destruction, a synchronous loop that never ends (Ctrl-C ends the command), memory without end,
and changes to globals that everyone uses. Only entry points that a command reads are imported.

## Packages

\`npm:NAME@RANGE\` and \`jsr:@SCOPE/NAME@RANGE\`, with a sub-path if need be, are installed into
Karotte's cache, also for what a local file imports; neither Deno nor npm need be on the machine.

- Versions and checksums are pinned in \`karotte.plugins.lock.json\` beside the manifest: commit it.
  It is used as long as it fits; \`karotte plugins update\` pins the newest that fits. Nothing pins
  what \`--with\` names.
- The same file says what each plugin adds, of a local one with the digests of its files: so a fresh
  clone knows it without loading anything, and where a file has changed it is found out again. A
  command that reads plugins' values takes it from a local plugin itself once on each machine, so
  that a wrong lock file hides nothing. \`plugins check\` and \`plugins update\` write it; other
  commands that load a plugin of yours keep it up to date where it is there and may be written.
- No script of a package ever runs at installation. Native add-ons can't be loaded.
- A version younger than 7 days, or of which the registry does not say how old it is, is not chosen,
  since most poisoned releases are found by then, but for packages that \`age_delay_exemptions\` or
  \`min-release-age-exclude\` in your own \`.npmrc\` names.
- Registries, tokens and proxies are those of your \`.npmrc\`; tokens are never shown, and are sent
  over https, or to this machine only. \`KAROTTE_JSR_NPM_REGISTRY\` names a mirror of \`npm.jsr.io\`.
- \`--offline\` installs nothing: what is not in the cache is skipped like any other failure.

\`\`\`sh
karotte plugins update
karotte --offline plugins check
\`\`\`

## Publish one

For JSR, a \`deno.json\` beside the module, and \`deno publish\`:

\`\`\`json
{
  "name": "@acme/karotte-machines",
  "version": "1.0.0",
  "license": "MIT",
  "exports": "./machines.ts"
}
\`\`\`

For npm, a \`package.json\` and plain JavaScript, and \`npm publish\`. Import the sdk as
\`@karotte/cli/sdk\`; it is a peer that nobody needs to install, and its range is checked:

\`\`\`json
{
  "name": "karotte-word-count",
  "version": "1.0.0",
  "description": "Template for Karotte environments: a task about words in a text",
  "license": "MIT",
  "type": "module",
  "exports": "./mod.js",
  "files": ["mod.js", "templates"],
  "peerDependencies": { "@karotte/cli": "^0.1" },
  "peerDependenciesMeta": { "@karotte/cli": { "optional": true } }
}
\`\`\`

Files of the package are found by \`new URL("./file", import.meta.url)\`.

## Port a Python plugin

Groups, names and JSON stay as they are, snake case included; packages' entry points become a
default export. What was

\`\`\`toml
[project.entry-points."chalk.harness_secret_env"]
acme = "acme.plugin:SECRETS"
[project.entry-points."chalk.run_config_preprocessors"]
acme = "acme.plugin:preprocess"
\`\`\`

\`\`\`python
SECRETS = ["ACME_TOKEN"]

def preprocess(config):
    config.turn_limit = config.turn_limit or 50
    return config
\`\`\`

is now one file:

\`\`\`ts
// ported.ts
import { definePlugin, type EvaluationRunConfig } from "jsr:@karotte/cli@^0.1/sdk";

function preprocess(config: EvaluationRunConfig): EvaluationRunConfig {
  return { ...config, turn_limit: config.turn_limit || 50 };
}

export default definePlugin({
  name: "acme",
  entryPoints: {
    "chalk.harness_secret_env": { acme: ["ACME_TOKEN"] },
    "chalk.run_config_preprocessors": { acme: preprocess },
  },
});
\`\`\`

Functions are called on the host only, not again in the sandbox. \`template.toml\` becomes
\`template.json\`, \`.jinja\` becomes \`.njk\`.
`;
