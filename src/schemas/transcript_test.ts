import { assertEquals } from "@std/assert";
import { z } from "zod";
import {
  eventSchema,
  ORIGINAL_EVENT_TYPES,
  type TranscriptEvent,
  type TranscriptEventOf,
} from "./transcript.ts";

type OriginalType = typeof ORIGINAL_EVENT_TYPES[number];
type AddedType = Exclude<TranscriptEvent["type"], OriginalType>;

const timestamp = "2026-01-02T03:04:05.678Z";

/** An event of each type that the original lacks: the compiler misses one that is left out. */
const ADDED: { readonly [Type in AddedType]: TranscriptEventOf<Type> } = {
  judge_usage: {
    timestamp,
    type: "judge_usage",
    metadata: {
      model: "openai/gpt-5",
      criterion: "It greets.",
      question_sha256: "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03",
      question: "Does it greet?",
      answer: "YES",
      input_tokens: 100,
      output_tokens: 2,
      cache_read_tokens: null,
      cache_write_tokens: null,
      cost: null,
    },
  },
  step_limit_reached: {
    timestamp,
    type: "step_limit_reached",
    metadata: {
      step: 0,
      limit: "time",
      unit: "seconds",
      allowed: 2,
      used: 2.1,
      overrun: 0.1,
      outcome: "score",
      reason: null,
    },
  },
  warning: { timestamp, type: "warning", metadata: { warning: "no GPU" } },
  student_processes_ended: {
    timestamp,
    type: "student_processes_ended",
    metadata: {
      count: 1,
      processes: [{ name: "python3", age_seconds: 2.5, listening: ["127.0.0.1:8000"] }],
      other_listening: [],
    },
  },
  student_links: {
    timestamp,
    type: "student_links",
    metadata: {
      walked: true,
      reason: null,
      entries: 3,
      into_root_places: {
        count: 1,
        files: [{ path: "/workdir/answer", kind: "link", target: "/root_data/expected" }],
      },
      removed: { count: 1, files: [{ path: "/tmp/p", kind: "pipe", target: null }] },
    },
  },
  student_limits: {
    timestamp,
    type: "student_limits",
    metadata: {
      sandbox_memory_bytes: 2 ** 31,
      sandbox_memory_source: "plugin",
      student_memory_bytes: 2 ** 30,
      contracts: { memory: "not_supported" },
    },
  },
};

/**
 * A reader of the original's form: a strict model for each type that it has, and one for any event
 * with metadata, whose type it does not look at.
 */
const originalEvent = z.union([
  z.object({ timestamp: z.string(), type: z.enum(ORIGINAL_EVENT_TYPES) }).loose(),
  z.object({ timestamp: z.string(), metadata: z.record(z.string(), z.unknown()) }).loose(),
]);

Deno.test("faults 2.1: a reader of the original's events takes each type that Karotte adds", () => {
  for (const event of Object.values<TranscriptEvent>(ADDED)) {
    const written = JSON.parse(JSON.stringify(eventSchema.parse(event)));
    assertEquals(originalEvent.safeParse(written).error, undefined, event.type);
    assertEquals(Object.keys(written), ["timestamp", "type", "metadata"]);
    assertEquals(written, event);
  }
});

Deno.test("faults 2.1: what a warning says is in its metadata, and nowhere else", () => {
  const old = { timestamp, type: "warning", message: "no GPU" };
  assertEquals(originalEvent.safeParse(old).success, false);
  assertEquals(eventSchema.safeParse(old).success, false);
});
