import type { RpcPeer } from "../base/rpc_peer.ts";
import type { Activity } from "../schemas/rpc.ts";
import type { TranscriptEvent } from "../schemas/transcript.ts";
import type { ArtifactFile, HostLink } from "./host_link.ts";

/** The host at the other end of the channel. */
export class ChannelLink implements HostLink {
  readonly #peer: RpcPeer;
  #sent = 0;
  /** The last event's way out: events leave in order whatever their size. */
  #sending: Promise<unknown> = Promise.resolve();
  readonly #unacknowledged = new Set<Promise<unknown>>();

  constructor(peer: RpcPeer) {
    this.#peer = peer;
  }

  async record(event: TranscriptEvent): Promise<void> {
    const seq = this.#sent++;
    const sent = this.#sending.then(() => this.#peer.send("event", { seq, event }));
    this.#sending = sent.catch(() => {}); // told by `sent`
    const { answer } = await sent;
    this.#unacknowledged.add(answer);
    answer.then(() => this.#unacknowledged.delete(answer), () => {}); // a refusal stays, for `recorded`
  }

  async recorded(): Promise<void> {
    await this.#sending;
    await Promise.all(this.#unacknowledged);
  }

  async activity(activity: Activity): Promise<void> {
    await this.#peer.notify("activity", activity);
  }

  async saveArtifactFile(file: ArtifactFile, content: AsyncIterable<Uint8Array>): Promise<void> {
    await this.#peer.sendBlob({ artifact: file }, content);
  }

  /** The last message: everything is on the host's disk when it is answered. */
  async finish(): Promise<void> {
    await this.recorded();
    await this.#peer.request("finish", { events: this.#sent });
  }
}
