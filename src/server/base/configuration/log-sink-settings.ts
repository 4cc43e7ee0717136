import type { EnvironmentReader } from './configuration.ts';

/** Address that receives the logs as JSON lines. */
export interface LogSinkConfiguration {
  /** Address of the requests; `{log}` stands for the name of the log. */
  readonly url: string;
  /** Value of the header `Authorization`. */
  readonly authorization: string | undefined;
  /** False if the logs are not stored in the database. */
  readonly isStored: boolean;
  /** Maximum size of the lines that wait for the sink on one server. */
  readonly bufferBytes: number;
}

/** Destinations of the sealed lines of logs and money, and of their seals. */
export interface EvidenceConfiguration {
  /** Address of the requests; `{log}` stands for the name of the table. */
  readonly http: Pick<LogSinkConfiguration, 'url' | 'authorization'> | undefined;
  /** Syslog server that receives RFC 5424 messages. */
  readonly syslog: { readonly host: string; readonly port: number; readonly isEncrypted: boolean; readonly ca?: string | undefined } | undefined;
}

/** Reads the destinations of the evidence. */
export function readEvidence(read: EnvironmentReader): EvidenceConfiguration {
  const text = read.text('EVIDENCE_URL');
  const authorization = read.text('EVIDENCE_AUTHORIZATION');
  const ca = read.text('EVIDENCE_SYSLOG_CA');
  const isAddress = text === undefined || (URL.canParse(text.replaceAll('{log}', 'log')) && /^https?:\/\//i.test(text));
  if (!isAddress) read.problems.push('EVIDENCE_URL is not an address beginning with https:// or http://.');
  const syslog = read.url('EVIDENCE_SYSLOG', ['tls:', 'tcp:']);
  const address = syslog !== undefined && URL.canParse(syslog) ? new URL(syslog) : undefined;
  if (address && !address.hostname) read.problems.push('EVIDENCE_SYSLOG names no host: tls://logs.example.com:6514');
  const isEncrypted = address?.protocol === 'tls:';
  return {
    http: text === undefined ? undefined : { url: text, authorization },
    syslog: address && { host: address.hostname, port: Number(address.port) || (isEncrypted ? 6514 : 601), isEncrypted, ca },
  };
}

/** Reads the settings of the log sink; undefined without one. */
export function readLogSink(read: EnvironmentReader): LogSinkConfiguration | undefined {
  const text = read.text('LOG_SINK_URL');
  const settings = {
    authorization: read.text('LOG_SINK_AUTHORIZATION'),
    isStored: read.oneOf('LOG_STORE', ['both', 'sink']) === 'both',
    bufferBytes: read.integer('LOG_SINK_BUFFER_MB', 1024, 1, 1_000_000) * 1_000_000,
  };
  if (text === undefined) {
    if (!settings.isStored) read.problems.push('LOG_STORE is "sink", but LOG_SINK_URL is missing, so logs would be stored nowhere.');
    return undefined;
  }
  const sample = text.replaceAll('{log}', 'log');
  if (!URL.canParse(sample) || !/^https?:\/\//i.test(sample)) {
    read.problems.push('LOG_SINK_URL is not an address beginning with https:// or http://.');
    return undefined;
  }
  const { username, password } = new URL(sample);
  if (username || password) read.problems.push('LOG_SINK_URL contains a user name or a password. Put them into LOG_SINK_AUTHORIZATION.');
  return { url: text, ...settings };
}
