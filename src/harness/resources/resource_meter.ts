import type { ResourceMetrics, ResourceSample } from "../../schemas/resource_metrics.ts";
import type { ResourceCounts, ResourceReader } from "./control_group.ts";

/** Milliseconds between the first measurements. */
const FIRST_INTERVAL_MS = 200;
/** Most samples that are kept: then every second one goes, and the interval doubles. */
const MOST_SAMPLES = 100;
const MIB = 1024 * 1024;

/** Measures what a sandbox uses, over as many stretches of time as are asked for. */
export class Resources {
  readonly #read: ResourceReader | undefined;
  #toldKills: number | null;

  /** `read` is undefined where nobody can tell. */
  constructor(read: ResourceReader | undefined) {
    this.#read = read;
    this.#toldKills = readOrNull(read)?.memoryKills ?? null;
  }

  /** Begins to measure. */
  meter(): ResourceMeter {
    return new ResourceMeter(this.#read);
  }

  /**
   * Ends a step's measurement. Processes that were killed count since the last step's, so that none
   * is left out.
   */
  endStep(meter: ResourceMeter): ResourceMetrics | null {
    const metrics = meter.end(this.#toldKills);
    this.#toldKills = meter.lastKills ?? this.#toldKills;
    return metrics;
  }
}

/** A measurement that goes on until it is ended or disposed of. */
export class ResourceMeter implements Disposable {
  readonly #read: ResourceReader | undefined;
  readonly #start: TimedCounts | null;
  readonly #processors = navigator.hardwareConcurrency;
  #last: TimedCounts | null;
  #samples: ResourceSample[] = [];
  #peakCpu = 0;
  #peakMemory = 0;
  #memorySum = 0;
  #count = 0;
  #intervalMs = FIRST_INTERVAL_MS;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(read: ResourceReader | undefined) {
    this.#read = read;
    this.#start = this.#last = readOrNull(read);
    if (this.#start !== null) this.#schedule();
  }

  /** The number of processes that were killed until the end; null: nobody can tell. */
  get lastKills(): number | null {
    return this.#last?.memoryKills ?? null;
  }

  /**
   * Ends the measurement; null: nobody can tell. `killsBefore` is the number of processes that
   * count as killed before it began; absent: those that were.
   */
  end(killsBefore: number | null = this.#start?.memoryKills ?? null): ResourceMetrics | null {
    this[Symbol.dispose]();
    this.#measure();
    if (this.#start === null || this.#last === null) return null;
    const { peakMemoryBytes, memoryLimitBytes, memoryKills } = this.#last;
    const hasNewPeak = peakMemoryBytes !== null && this.#start.peakMemoryBytes !== null &&
      peakMemoryBytes > this.#start.peakMemoryBytes;
    const peak = Math.max(this.#peakMemory, hasNewPeak ? peakMemoryBytes : 0);
    const kills = memoryKills === null || killsBefore === null ? null : memoryKills - killsBefore;
    return {
      samples: this.#samples,
      peak_cpu_percent: this.#peakCpu,
      avg_cpu_percent: this.#cpuPercent(this.#start, this.#last),
      peak_memory_mb: mib(peak),
      avg_memory_mb: mib(this.#memorySum / this.#count),
      memory_limit_bytes: memoryLimitBytes,
      memory_limit_kills: kills,
    };
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #schedule(): void {
    this.#timer = setTimeout(() => {
      this.#measure();
      this.#schedule();
    }, this.#intervalMs);
  }

  #measure(): void {
    const counts = readOrNull(this.#read);
    if (counts === null || this.#last === null) return;
    const cpu = this.#cpuPercent(this.#last, counts);
    this.#last = counts;
    this.#peakCpu = Math.max(this.#peakCpu, cpu);
    this.#peakMemory = Math.max(this.#peakMemory, counts.memoryBytes);
    this.#memorySum += counts.memoryBytes;
    this.#count += 1;
    this.#samples.push({
      timestamp_ms: Math.round(counts.atMs),
      cpu_percent: cpu,
      memory_mb: mib(counts.memoryBytes),
    });
    if (this.#samples.length <= MOST_SAMPLES) return;
    this.#samples = this.#samples.filter((_, index) => index % 2 === 1);
    this.#intervalMs *= 2;
  }

  #cpuPercent(from: TimedCounts, to: TimedCounts): number {
    const possible = (to.atMs - from.atMs) * 1000 * this.#processors;
    if (possible <= 0) return 0;
    const percent = (to.cpuMicroseconds - from.cpuMicroseconds) / possible * 100;
    return rounded(Math.min(100, Math.max(0, percent)));
  }
}

interface TimedCounts extends ResourceCounts {
  /** The time of the reading, in milliseconds since 1970. */
  readonly atMs: number;
}

/** What can't be read at one moment is not measured then. */
function readOrNull(read: ResourceReader | undefined): TimedCounts | null {
  if (read === undefined) return null;
  try {
    return { ...read(), atMs: performance.timeOrigin + performance.now() };
  } catch {
    return null;
  }
}

function mib(bytes: number): number {
  return rounded(bytes / MIB);
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
