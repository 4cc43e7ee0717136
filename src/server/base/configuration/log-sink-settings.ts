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

/** Reads the settings of the log sink; undefined without one. */
export function readLogSink(read: EnvironmentReader): LogSinkConfiguration | undefined {
  const text = read.text('LOG_SINK_URL');
  const settings = {
    authorization: read.text('LOG_SINK_AUTHORIZATION'),
    isStored: read.oneOf('LOG_STORE', ['both', 'sink']) === 'both',
    bufferBytes: read.integer('LOG_SINK_BUFFER_MB', 1024, 1, 1_000_000) * 1_000_000,
  };
  if (text === undefined) {
    if (!settings.isStored) read.problems.push('LOG_STORE is "sink", but LOG_SINK_URL is missing, so that logs would be stored nowhere.');
    return undefined;
  }
  const sample = text.replaceAll('{log}', 'log');
  if (!URL.canParse(sample) || !/^https?:/.test(sample)) {
    read.problems.push('LOG_SINK_URL is not an address beginning with https:// or http://.');
    return undefined;
  }
  const { username, password } = new URL(sample);
  if (username || password) read.problems.push('LOG_SINK_URL contains a user name or a password. Put them into LOG_SINK_AUTHORIZATION.');
  return { url: text, ...settings };
}
