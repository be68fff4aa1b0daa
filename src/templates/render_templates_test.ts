import { assertEquals, assertRejects } from "@std/assert";
import { KarotteError } from "../base/errors.ts";
import { renderTemplates } from "./render_templates.ts";

function rendered(...templates: Record<string, string>[]): Promise<Map<string, string>> {
  const stacked = templates.map((files, index) => ({
    id: `t${index}`,
    description: "",
    requires: [],
    do_not_recreate_if_deleted: [],
    files,
  }));
  return renderTemplates(stacked, {
    env_name: "<&> $& `x`",
    package_name: "x",
    karotte_version: "1.2.3",
    links: [],
    templates: stacked.map(({ id }) => id),
  });
}

Deno.test("renderTemplates() renders .njk files, takes others as they are, escapes nothing", async () => {
  const files = await rendered({
    "a.md.njk": "{{ env_name }}\r\n",
    "b.ts": "`${{ a: '{{ x }}' }}`\n",
  });
  assertEquals([...files], [["a.md", "<&> $& `x`\r\n"], ["b.ts", "`${{ a: '{{ x }}' }}`\n"]]);
});

Deno.test("renderTemplates() includes and extends files of all templates", async () => {
  const files = await rendered(
    {
      "base.txt.njk": "[{% block middle %}base{% endblock %}]",
      "partials/end.njk": "v{{ karotte_version }}",
    },
    {
      "top.txt.njk":
        '{% extends "t0/base.txt.njk" %}{% block middle %}{% include "t0/partials/end.njk" %}{% endblock %}',
    },
  );
  assertEquals([...files], [["base.txt", "[base]"], ["top.txt", "[v1.2.3]"]]);
});

Deno.test("renderTemplates() refuses unknown variables, unknown files and bad syntax", async () => {
  for (const source of ["{{ env_nmae }}", '{% include "t0/none" %}', "{% if %}"]) {
    const error = await assertRejects(
      () => rendered({ "a.njk": source }),
      KarotteError,
      '"t0/a.njk"',
    );
    assertEquals(error.message.includes("\n"), false, error.message);
  }
});
