import { assert } from "@std/assert";
import { GUARDS } from "../../src/protocol/guards.ts";
import { bubblewrapTest } from "../conformance/bubblewrap_here.ts";
import { WHOLE } from "../support/whole.ts";
import { BUBBLEWRAP } from "./bubblewrap.ts";
import { TrickRange } from "./range.ts";
import { testTricks } from "./registered.ts";
import { playAll } from "./suite.ts";
import { TRICKS } from "./tricks.ts";

bubblewrapTest("tricks earn nothing, and honest answers their score", async (test) => {
  await testTricks(test, { runtime: BUBBLEWRAP, count: 8 });
});

for (const guard of GUARDS) {
  bubblewrapTest(`without the guard "${guard}" a trick pays`, async () => {
    const against = TRICKS.filter((trick) => trick.guard === guard && !trick.inImages);
    await using range = await TrickRange.create(BUBBLEWRAP);
    const results = await playAll(range, WHOLE ? against : against.slice(0, 1), {
      without: [guard],
    });
    const paid = results.filter((result) => "isPaid" in result && result.isPaid);
    assert(paid.length > 0, `none of ${results.length} pays without "${guard}"`);
  });
}
