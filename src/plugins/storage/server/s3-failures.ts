import { EgressError, problems, Refusal } from '#server';
import { fileProblems } from '#shared/files';
import { say, type Words } from '#shared/text';
import { probeWords } from '../contract.ts';

/** Properties of SDK errors that are evaluated. */
interface Failure {
  readonly name?: string;
  readonly code?: string;
  readonly message?: string;
  readonly cause?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/** Tells whether an error means that the object or upload does not exist. */
export function isAbsent(error: unknown): boolean {
  const { name = '', $metadata } = error as Failure;
  return ['NotFound', 'NoSuchKey', 'NoSuchUpload'].includes(name) || (name !== 'NoSuchBucket' && $metadata?.httpStatusCode === 404);
}

/** Error codes of common servers for a full bucket, account or disk. */
const full = new Set(['QuotaExceeded', 'QuotaExceededException', 'InsufficientStorage', 'XMinioStorageFull', 'XMinioAdminBucketQuotaExceeded', 'StorageFull']);

const isFull = ({ name = '', code = '', $metadata }: Failure) => full.has(name) || full.has(code) || $metadata?.httpStatusCode === 507;

/** Converts an error to a refusal for users; the cause is for the log. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (isFull(error as Failure)) return new Refusal(fileProblems.storeFull, {}, { cause: error });
  return new Refusal(isAbsent(error) ? problems.notFound : fileProblems.storeAway, {}, { cause: error });
}

const named: Readonly<Record<string, Words>> = {
  ENOTFOUND: probeWords.noHost,
  EAI_AGAIN: probeWords.noHost,
  ECONNREFUSED: probeWords.noAnswer,
  ECONNRESET: probeWords.noAnswer,
  ETIMEDOUT: probeWords.noAnswer,
  EHOSTUNREACH: probeWords.noAnswer,
  ENETUNREACH: probeWords.noAnswer,
  TimeoutError: probeWords.noAnswer,
  InvalidAccessKeyId: probeWords.wrongKey,
  SignatureDoesNotMatch: probeWords.wrongSecret,
  NoSuchBucket: probeWords.noBucket,
  AccessDenied: probeWords.forbidden,
  Forbidden: probeWords.forbidden,
  RequestTimeTooSkewed: probeWords.clock,
  AuthorizationHeaderMalformed: probeWords.region,
  PermanentRedirect: probeWords.region,
};

/** Explains an error of a store or its connection, for the administrator who configures it. */
export function reasonOf(error: unknown): Words {
  for (let one = error as Failure | undefined; one; one = one.cause as Failure | undefined) {
    if (one instanceof EgressError) return probeWords.private;
    if (/CERT|SELF_SIGNED|ALTNAME|SSL/.test(one.code ?? '')) return probeWords.certificate;
    const words = named[one.code ?? ''] ?? named[one.name ?? ''];
    if (words) return words;
  }
  const { name = '', message = '' } = ((error as Failure).cause ?? error) as Failure;
  const reason = [name, message]
    .filter((part) => part !== '' && part !== 'Error')
    .join(': ')
    .slice(0, 200);
  return [say(probeWords.other, 'zh', { reason }), say(probeWords.other, 'en', { reason })];
}
