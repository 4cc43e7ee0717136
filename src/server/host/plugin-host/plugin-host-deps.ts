import type { CrashLoopGuard } from '#shared/crash-loop-guard';
import type { ServerBus } from '../../base/bus.ts';
import type { FilesBucketConfiguration } from '../../base/configuration/files-bucket.ts';
import type { SecretKeys } from '../../base/configuration/secret-key.ts';
import type { Egress } from '../../base/egress.ts';
import type { Log } from '../../base/log.ts';
import type { StoredParameters } from '../../base/stored-parameters.ts';
import type { Database } from '../../data/database/database.ts';
import type { LogDestination } from '../../platform/audit/log-sink.ts';
import type { PostgresSystemLog } from '../../platform/audit/postgres-system-log.ts';
import type { Backups } from '../../platform/backup/backups.ts';
import type { Evidence } from '../../platform/evidence/evidence.ts';
import type { Files } from '../../platform/files/files.ts';
import type { HealthSources } from '../../platform/health/health-sources.ts';
import type { Principals } from '../../platform/http/authorize-call.ts';
import type { Passwords } from '../../platform/identity/passwords/passwords.ts';
import type { SignInServices } from '../../platform/identity/start-auth.ts';
import type { Live } from '../../platform/live/live.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import type { PluginPackages } from '../../platform/packages/plugin-packages.ts';
import type { Explanations } from '../../platform/permission/explanations.ts';
import type { DictionaryLabels } from '../../platform/references/dictionary-labels.ts';
import type { ReferenceReaders } from '../../platform/references/reference-reader.ts';
import type { RunningServers } from '../../platform/replicas/running-servers.ts';
import type { Sms } from '../../platform/sms/sms.ts';
import type { PluginSwitches } from '../../platform/switches/plugin-switches.ts';
import type { Traces } from '../../platform/traces/traces.ts';

/** Services that the host provides to plugins and takes back from them. */
export interface ServerHostDeps {
  readonly db: Database;
  readonly bus: ServerBus;
  readonly systemLogs: PostgresSystemLog;
  readonly logDestination: LogDestination;
  readonly parameters: StoredParameters;
  readonly live: Live;
  readonly sms: Sms;
  readonly passwords: Passwords;
  readonly consoleClient: string;
  readonly signInServices: SignInServices;
  readonly secretKeys: SecretKeys['ofPlugin'];
  readonly log: Log;
  readonly files: Files;
  readonly backups: Backups;
  readonly health: HealthSources;
  readonly evidence: Evidence;
  readonly servers: RunningServers;
  readonly packages: PluginPackages;
  readonly filesBucket: FilesBucketConfiguration | undefined;
  readonly principals: Principals;
  readonly references: ReferenceReaders;
  readonly dictionaryLabels: DictionaryLabels;
  readonly explanations: Explanations;
  readonly switches: PluginSwitches;
  /** Counts the plugins that fail at each start. */
  readonly crashLoopGuard: CrashLoopGuard;
  /** True starts core plugins and their dependencies only. */
  readonly safe?: boolean;
  /** True if the deployment begins with sample rows. */
  readonly samples: boolean;
  readonly egress: Egress;
  /** Path of the console on its host. */
  readonly basePath: string;
  readonly metrics: Metrics;
  /** Undefined records no traces. */
  readonly traces: Traces | undefined;
  /** Factor by which interval tasks run more often than their plugins declare. */
  readonly timeScale: number;
}
