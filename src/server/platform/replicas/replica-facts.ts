import type { AllowedChange } from '../../base/configuration/configuration.ts';
import type { FilesBucketConfiguration } from '../../base/configuration/files-bucket.ts';
import type { SecretKeys } from '../../base/configuration/secret-key.ts';
import type { ServerReport } from './server-report.ts';

/** Facts in which the replicas on one database must agree; each replica stores its own. */
export interface ReplicaFacts {
  readonly host: string;
  /** Fingerprint of `SECRET_KEY`, from which the key cannot be recovered. */
  readonly keyFingerprint: string;
  /** Fingerprints of `SECRET_KEY_FALLBACKS`; absent in versions without this setting. */
  readonly fallbackFingerprints?: readonly string[];
  readonly timeZone: string;
  /** Service and name of the bucket for files; '' for none, absent in versions without this setting. */
  readonly filesBucket?: string;
  /** Sorted ids; `id@version` if a plugin has a version. */
  readonly plugins: readonly string[];
  /** Algorithms of the access tokens that it accepts; absent in versions that accept HS256 only. Replicas may differ in it. */
  readonly tokenAlgorithms?: readonly string[];
  /** Current state, with each renewal; absent in versions without it. Replicas may differ in it. */
  readonly report?: ServerReport;
}

/** Builds the facts of this server. */
export function replicaFacts(
  host: string,
  { fingerprints: [keyFingerprint, ...fallbackFingerprints] }: Pick<SecretKeys, 'fingerprints'>,
  { timeZone, filesBucket }: { readonly timeZone: string; readonly filesBucket: FilesBucketConfiguration | undefined },
  installed: readonly { readonly plugin: { readonly id: string; readonly version?: string } }[],
): ReplicaFacts {
  const plugins = installed.map(({ plugin: { id, version } }) => (version === undefined ? id : `${id}@${version}`));
  const address = filesBucket ? `${filesBucket.endpoint} ${filesBucket.bucket}` : '';
  return { host, keyFingerprint, fallbackFingerprints, timeZone, filesBucket: address, plugins: plugins.sort(), tokenAlgorithms: ['ES256', 'HS256'] };
}

/** Seconds for which a killed server still counts as running. */
export const expirySeconds = 20;

type KeyFacts = Pick<ReplicaFacts, 'keyFingerprint'> & { readonly fallbackFingerprints?: readonly string[] | undefined };

/** Tests whether two servers accept what the other one signs and encrypts. */
export function acceptEachOthersKeys(one: KeyFacts, other: KeyFacts): boolean {
  const knows = ({ keyFingerprint, fallbackFingerprints = [] }: KeyFacts, fingerprint: string) =>
    [keyFingerprint, ...fallbackFingerprints].includes(fingerprint);
  return knows(one, other.keyFingerprint) && knows(other, one.keyFingerprint);
}

/** Describes the first difference from another replica in one sentence with the remedy; undefined if all may run together. The sentence contains no key. */
export function differenceAmong(own: ReplicaFacts, others: readonly ReplicaFacts[], allowed?: AllowedChange): string | undefined {
  for (const other of others) {
    const common = keyDifference(own, other) ?? zoneDifference(own, other) ?? bucketDifference(own, other);
    const sentence = common ?? (allowed === 'plugins' ? undefined : pluginDifference(own, other));
    if (sentence !== undefined) return sentence;
  }
  return undefined;
}

const stopAll = `stop all servers first to change it (one that was killed counts for ${expirySeconds} s)`;

function keyDifference(own: ReplicaFacts, other: ReplicaFacts): string | undefined {
  if (acceptEachOthersKeys(own, other)) return undefined;
  return `SECRET_KEY differs from that of the server running on ${other.host}: set SECRET_KEY to the same value on every server, name the keys of each other in SECRET_KEY_FALLBACKS, or ${stopAll}.`;
}

function zoneDifference(own: ReplicaFacts, other: ReplicaFacts): string | undefined {
  if (own.timeZone === other.timeZone) return undefined;
  return `TIME_ZONE is ${own.timeZone} here and ${other.timeZone} on the server running on ${other.host}: set TIME_ZONE to ${other.timeZone}, or ${stopAll}.`;
}

function bucketDifference(own: ReplicaFacts, other: ReplicaFacts): string | undefined {
  if (other.filesBucket === undefined || own.filesBucket === other.filesBucket) return undefined;
  return `The bucket for files differs from that of the server running on ${other.host}: set FILES_BUCKET and FILES_ENDPOINT to the same values on every server, or ${stopAll}.`;
}

function pluginDifference(own: ReplicaFacts, other: ReplicaFacts): string | undefined {
  const onlyHere = own.plugins.filter((plugin) => !other.plugins.includes(plugin));
  const onlyThere = other.plugins.filter((plugin) => !own.plugins.includes(plugin));
  if (onlyHere.length === 0 && onlyThere.length === 0) return undefined;
  const parts = [onlyHere.length > 0 ? `only here: ${onlyHere.join(', ')}` : '', onlyThere.length > 0 ? `only there: ${onlyThere.join(', ')}` : ''];
  return `The plugins differ from those of the server running on ${other.host} (${parts.filter(Boolean).join('; ')}): start the same build on every server, set ROLLING_CHANGE=plugins to replace the servers one by one, or ${stopAll}.`;
}
