import type { ServerReport } from './server-report.ts';

/** A server of the deployment as it last reported itself. */
export interface RunningServer {
  readonly id: string;
  readonly host: string;
  /** Fingerprint of its `SECRET_KEY`. */
  readonly keyFingerprint: string;
  /** Fingerprints of its `SECRET_KEY_FALLBACKS`. */
  readonly fallbackFingerprints?: readonly string[] | undefined;
  /** Absent for a server of a version that does not report itself. */
  readonly report?: ServerReport | undefined;
  readonly startTime: string;
  /** Time of its last sign of life. */
  readonly seenTime: string;
  readonly uptimeSeconds: number;
  /** False once it has been silent for too long. */
  readonly isAlive: boolean;
}

/** The servers that run on the database of this deployment, under `get(RunningServers)`. */
export abstract class RunningServers {
  /** Lists the servers in the order of their starts. One that was killed stays for a day, unless a server on its host has started since. */
  abstract list(): Promise<readonly RunningServer[]>;
}
