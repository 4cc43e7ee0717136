import { ApiError, EgressError, problems } from '#server';
import { fileProblems } from '#shared/files';
import { type LocalizedText, localize } from '#shared/text';
import { probeMessages } from '../contract.ts';

/** Properties of SDK errors that are evaluated. */
interface StoreError {
  readonly name?: string;
  readonly code?: string;
  readonly message?: string;
  readonly cause?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/** Tests whether an error means that the object or upload does not exist. */
export function isAbsent(error: unknown): boolean {
  const { name = '', $metadata } = error as StoreError;
  return ['NotFound', 'NoSuchKey', 'NoSuchUpload'].includes(name) || (name !== 'NoSuchBucket' && $metadata?.httpStatusCode === 404);
}

/** Error codes of common servers for a full bucket, account or disk. */
const fullCode = /^(QuotaExceeded(Exception)?|InsufficientStorage|StorageFull|XMinioStorageFull|XMinioAdminBucketQuotaExceeded)$/;

const isFull = ({ name = '', code = '', $metadata }: StoreError) => fullCode.test(name) || fullCode.test(code) || $metadata?.httpStatusCode === 507;

/** Converts an error to a refusal for users; the cause is for the log. */
export function refusalOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (isFull(error as StoreError)) return new ApiError(fileProblems.storeFull, {}, { cause: error });
  return new ApiError(isAbsent(error) ? problems.notFound : fileProblems.storeUnavailable, {}, { cause: error });
}

const reasons: Readonly<Record<string, LocalizedText>> = {
  ENOTFOUND: probeMessages.noHost,
  EAI_AGAIN: probeMessages.noHost,
  ECONNREFUSED: probeMessages.noAnswer,
  ECONNRESET: probeMessages.noAnswer,
  ETIMEDOUT: probeMessages.noAnswer,
  EHOSTUNREACH: probeMessages.noAnswer,
  ENETUNREACH: probeMessages.noAnswer,
  TimeoutError: probeMessages.noAnswer,
  InvalidAccessKeyId: probeMessages.wrongKey,
  SignatureDoesNotMatch: probeMessages.wrongSecret,
  NoSuchBucket: probeMessages.noBucket,
  AccessDenied: probeMessages.forbidden,
  Forbidden: probeMessages.forbidden,
  RequestTimeTooSkewed: probeMessages.clock,
  AuthorizationHeaderMalformed: probeMessages.region,
  PermanentRedirect: probeMessages.region,
};

/** Explains an error of a store or its connection, for the administrator who configures it. */
export function reasonOf(error: unknown): LocalizedText {
  for (let one = error as StoreError | undefined; one; one = one.cause as StoreError | undefined) {
    if (one instanceof EgressError) return probeMessages.private;
    if (/CERT|SELF_SIGNED|ALTNAME|SSL/.test(one.code ?? '')) return probeMessages.certificate;
    const reasonText = reasons[one.code ?? ''] ?? reasons[one.name ?? ''];
    if (reasonText) return reasonText;
  }
  const { name = '', message = '' } = ((error as StoreError).cause ?? error) as StoreError;
  const reason = [name, message]
    .filter((part) => part !== '' && part !== 'Error')
    .join(': ')
    .slice(0, 200);
  return [localize(probeMessages.other, 'zh', { reason }), localize(probeMessages.other, 'en', { reason })];
}
