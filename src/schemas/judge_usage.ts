import { z } from "zod";

/** What a question of a judge took, and what came of it. */
export interface JudgeUsage {
  /** The id of the model that was asked. */
  model: string;
  /** What was asked about, as the judge says; null: it says nothing. */
  criterion: string | null;
  /** The SHA-256 of the whole question in UTF-8, in hex. */
  question_sha256: string;
  /** The question, or its start and its end. */
  question: string;
  /** The answer as the model gave it, or its start and its end; null: it failed. */
  answer: string | null;
  /** All tokens that were read; null: the provider did not tell. */
  input_tokens: number | null;
  /** Tokens that the model wrote, thinking included; null: the provider did not tell. */
  output_tokens: number | null;
  /** Part of `input_tokens`; null: the provider did not tell. */
  cache_read_tokens: number | null;
  /** Part of `input_tokens`; null: the provider did not tell. */
  cache_write_tokens: number | null;
  /** USD; null: not known for all of it. */
  cost: number | null;
}

/** The members of a `JudgeUsage`. */
export const JUDGE_USAGE_FIELDS = {
  model: z.string(),
  criterion: z.string().nullable(),
  question_sha256: z.string(),
  question: z.string(),
  answer: z.string().nullable(),
  input_tokens: z.number().int().nullable(),
  output_tokens: z.number().int().nullable(),
  cache_read_tokens: z.number().int().nullable(),
  cache_write_tokens: z.number().int().nullable(),
  cost: z.number().nullable(),
} satisfies { readonly [Name in keyof JudgeUsage]: z.ZodType<JudgeUsage[Name]> };
