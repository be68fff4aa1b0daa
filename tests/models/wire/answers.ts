/** An answer as it stands. */
export interface Answer {
  readonly body: string;
  /** Absent: 200. */
  readonly status?: number;
  /** Absent: `text/event-stream`; null: none. */
  readonly type?: string | null;
}

export interface AnswerServer extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`, without a path. */
  readonly url: string;
  /** Paths of the requests. */
  readonly asked: readonly string[];
}

/** Starts a server on 127.0.0.1 that gives these answers in order, the last one again and again. */
export function answerServer(...answers: readonly Answer[]): AnswerServer {
  const asked: string[] = [];
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (http) => {
      await http.body?.cancel();
      const { body, status = 200, type = "text/event-stream" } =
        answers[Math.min(asked.length, answers.length - 1)]!;
      asked.push(new URL(http.url).pathname);
      const bytes = new TextEncoder().encode(body);
      return new Response(bytes, {
        status,
        headers: type === null ? {} : { "content-type": type },
      });
    },
  );
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    asked,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
