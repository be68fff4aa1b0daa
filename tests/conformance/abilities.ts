import { assertEquals, assertRejects } from "@std/assert";
import type { Network } from "../../src/runtimes/abilities.ts";
import type { SandboxSpec } from "../../src/runtimes/runtime.ts";
import type { Behaviour } from "./behaviour.ts";

const NETWORKS: readonly Network[] = ["none", "internal", "open"];

/** What a runtime says of itself, held to what it does. */
export const abilities: Behaviour[] = [
  {
    name: "a sandbox has each network that the runtime names",
    differs: ["remote", "product"],
    async test(lab) {
      for (const network of lab.runtime.abilities.networks) {
        const { out, err } = await lab.run("echo runs >&4", { network });
        assertEquals(out, "runs\n", `${network}: ${err}`);
      }
    },
  },
  {
    name: "what the runtime can't do is refused, and never left out",
    differs: ["product"],
    async test(lab) {
      const { networks, keeps, arguments: takesArguments } = lab.runtime.abilities;
      const beyond: Partial<SandboxSpec>[] = [
        ...NETWORKS.filter((each) => !networks.includes(each)).map((network) => ({ network })),
        ...(keeps ? [] : [{ keep: true }]),
        ...(takesArguments ? [] : [{ arguments: ["--privileged"] }]),
      ];
      for (const changes of beyond) {
        await assertRejects(() => lab.launch("exit 0", changes), TypeError, "can't start");
      }
    },
  },
];
