import apiLog from '../platform/audit/migrations/0001-api-log.sql';
import errorLog from '../platform/audit/migrations/0002-error-log.sql';
import logs from '../platform/audit/migrations/0003-logs.sql';
import strayErrors from '../platform/audit/migrations/0004-stray-errors.sql';
import recordChange from '../platform/audit/migrations/0005-record-change.sql';
import monthEdges from '../platform/audit/migrations/0115-month-edges.sql';
import monthStarts from '../platform/audit/migrations/0116-month-starts.sql';
import evidence from '../platform/evidence/migrations/0110-evidence.sql';
import wholeMonths from '../platform/evidence/migrations/0111-whole-months.sql';
import addedValue from '../platform/extensions/migrations/0001-added-value.sql';
import backup from '../platform/figures/migrations/0001-backup.sql';
import storedFile from '../platform/files/migrations/0001-stored-file.sql';
import fileStores from '../platform/files/migrations/0002-file-stores.sql';
import fileKept from '../platform/files/migrations/0003-kept.sql';
import fileKeptBefore from '../platform/files/migrations/0004-kept-before.sql';
import registration from '../platform/identity/accounts/migrations/0001-registration.sql';
import applicants from '../platform/identity/accounts/migrations/0002-applicants.sql';
import authorizationCode from '../platform/identity/authorization/migrations/0001-authorization-code.sql';
import identity from '../platform/identity/migrations/0001-identity.sql';
import sessions from '../platform/identity/migrations/0002-sessions.sql';
import actingAs from '../platform/identity/migrations/0003-acting-as.sql';
import screenLock from '../platform/identity/migrations/0004-screen-lock.sql';
import sessionsInFull from '../platform/identity/migrations/0005-sessions-in-full.sql';
import secondFactor from '../platform/identity/migrations/0006-second-factor.sql';
import tenant from '../platform/identity/migrations/0030-tenant.sql';
import tenantCode from '../platform/identity/migrations/0031-tenant-code.sql';
import client from '../platform/identity/migrations/0032-client.sql';
import userType from '../platform/identity/migrations/0033-user-type.sql';
import userPhone from '../platform/identity/migrations/0051-user-phone.sql';
import preview from '../platform/identity/migrations/0071-preview.sql';
import oneTimePasswords from '../platform/identity/migrations/0090-one-time-passwords.sql';
import failuresBySource from '../platform/identity/migrations/0091-failures-by-source.sql';
import tenantReads from '../platform/identity/migrations/0094-tenant-reads.sql';
import clientCompatibility from '../platform/identity/migrations/0098-client-compatibility.sql';
import loginLogByUser from '../platform/identity/migrations/0104-login-log-by-user.sql';
import englishRoleNames from '../platform/identity/migrations/0109-english-role-names.sql';
import passkey from '../platform/identity/migrations/0112-passkey.sql';
import freshProof from '../platform/identity/migrations/0113-fresh-proof.sql';
import secondFactorByRole from '../platform/identity/migrations/0114-second-factor-by-role.sql';
import signInRecord from '../platform/identity/migrations/0121-sign-in-record.sql';
import sessionBySignIn from '../platform/identity/migrations/0122-session-by-sign-in.sql';
import directoryGrant from '../platform/identity/migrations/0123-directory-grant.sql';
import keysByTenant from '../platform/identity/migrations/0125-keys-by-tenant.sql';
import tenantInKeys from '../platform/identity/migrations/0126-tenant-in-keys.sql';
import checkedParts from '../platform/identity/migrations/0127-checked-parts.sql';
import accountKeys from '../platform/identity/migrations/0128-account-keys.sql';
import tenantInAccountKeys from '../platform/identity/migrations/0129-tenant-in-account-keys.sql';
import tenantInOtherKeys from '../platform/identity/migrations/0130-tenant-in-other-keys.sql';
import checkedAccounts from '../platform/identity/migrations/0131-checked-accounts.sql';
import formerKeys from '../platform/identity/migrations/0132-former-keys.sql';
import providedAccount from '../platform/identity/migrations/0141-provided-account.sql';
import ways from '../platform/identity/oauth/migrations/0001-ways.sql';
import social from '../platform/identity/oauth/migrations/0002-social.sql';
import freedIdentity from '../platform/identity/oauth/migrations/0003-freed.sql';
import signingKey from '../platform/identity/signing/migrations/0117-signing-key.sql';
import earlierServer from '../platform/identity/signing/migrations/0118-earlier-server.sql';
import inbox from '../platform/inbox/migrations/0001-inbox.sql';
import inboxSample from '../platform/inbox/migrations/0002-sample.sql';
import liveEvent from '../platform/live/migrations/0001-live-event.sql';
import pluginPackage from '../platform/packages/migrations/0133-plugin-package.sql';
import boundedRow from '../platform/packages/migrations/0134-bounded-row.sql';
import menu from '../platform/permission/migrations/0001-menu.sql';
import topMenu from '../platform/permission/migrations/0002-top-menu.sql';
import menuEntity from '../platform/permission/migrations/0010-menu-entity.sql';
import scopes from '../platform/permission/migrations/0011-scopes.sql';
import menuQuery from '../platform/permission/migrations/0014-menu-query.sql';
import menuOnce from '../platform/permission/migrations/0015-menu-once.sql';
import logPaths from '../platform/permission/migrations/0016-log-paths.sql';
import scopeRule from '../platform/permission/migrations/0017-scope-rule.sql';
import menuOrder from '../platform/permission/migrations/0018-menu-order.sql';
import personalAccess from '../platform/personal/migrations/0140-personal-access.sql';
import preferences from '../platform/preferences/migrations/0001-preferences.sql';
import sharedView from '../platform/preferences/migrations/0001-shared-view.sql';
import rateLimit from '../platform/rate-limits/migrations/0001-rate-limit.sql';
import replica from '../platform/replicas/migrations/0001-replica.sql';
import searchTerm from '../platform/search/migrations/0001-search-term.sql';
import pinyin from '../platform/search/migrations/0002-pinyin.sql';
import pendingTerms from '../platform/search/migrations/0003-pending-terms.sql';
import changedTerms from '../platform/search/migrations/0004-changed-terms.sql';
import termsOfBatches from '../platform/search/migrations/0005-terms-of-batches.sql';
import sms from '../platform/sms/migrations/0001-sms.sql';
import pluginSwitch from '../platform/switches/migrations/0001-plugin-switch.sql';
import transfer from '../platform/transfers/migrations/0001-transfer.sql';
import transferPasswords from '../platform/transfers/migrations/0002-passwords.sql';
import transferTurns from '../platform/transfers/migrations/0002-turns.sql';

/** Migrations of the kernel's own tables, applied once each in the order of their names; a released file is never edited. */
export const kernelMigrations: Readonly<Record<string, string>> = {
  '0001-identity.sql': identity,
  '0002-sessions.sql': sessions,
  '0003-menu.sql': menu,
  '0004-api-log.sql': apiLog,
  '0005-top-menu.sql': topMenu,
  '0006-acting-as.sql': actingAs,
  '0007-preferences.sql': preferences,
  '0010-stored-file.sql': storedFile,
  '0011-live-event.sql': liveEvent,
  '0012-screen-lock.sql': screenLock,
  '0013-transfer.sql': transfer,
  '0014-inbox.sql': inbox,
  '0015-error-log.sql': errorLog,
  '0016-sessions-in-full.sql': sessionsInFull,
  '0017-second-factor.sql': secondFactor,
  '0020-ways.sql': ways,
  '0021-sms.sql': sms,
  '0022-social.sql': social,
  '0023-registration.sql': registration,
  '0024-authorization-code.sql': authorizationCode,
  '0025-applicants.sql': applicants,
  '0030-tenant.sql': tenant,
  '0031-tenant-code.sql': tenantCode,
  '0032-client.sql': client,
  '0033-user-type.sql': userType,
  '0040-menu-entity.sql': menuEntity,
  '0041-scopes.sql': scopes,
  '0042-menu-once.sql': menuOnce,
  '0050-logs.sql': logs,
  '0051-user-phone.sql': userPhone,
  '0060-file-stores.sql': fileStores,
  '0064-menu-query.sql': menuQuery,
  '0070-shared-view.sql': sharedView,
  '0071-preview.sql': preview,
  '0075-freed-identity.sql': freedIdentity,
  '0080-plugin-switch.sql': pluginSwitch,
  '0081-file-kept.sql': fileKept,
  '0082-added-value.sql': addedValue,
  '0085-file-kept-before.sql': fileKeptBefore,
  '0087-transfer-turns.sql': transferTurns,
  '0090-one-time-passwords.sql': oneTimePasswords,
  '0091-failures-by-source.sql': failuresBySource,
  '0092-inbox-sample.sql': inboxSample,
  '0093-transfer-passwords.sql': transferPasswords,
  '0094-tenant-reads.sql': tenantReads,
  '0095-replica.sql': replica,
  '0096-stray-errors.sql': strayErrors,
  '0097-backup.sql': backup,
  '0098-client-compatibility.sql': clientCompatibility,
  '0099-log-paths.sql': logPaths,
  '0100-record-change.sql': recordChange,
  '0101-scope-rule.sql': scopeRule,
  '0102-search-term.sql': searchTerm,
  '0103-pinyin.sql': pinyin,
  '0104-login-log-by-user.sql': loginLogByUser,
  '0105-menu-order.sql': menuOrder,
  '0106-pending-terms.sql': pendingTerms,
  '0107-changed-terms.sql': changedTerms,
  '0108-terms-of-batches.sql': termsOfBatches,
  '0109-english-role-names.sql': englishRoleNames,
  '0110-evidence.sql': evidence,
  '0111-whole-months.sql': wholeMonths,
  '0112-passkey.sql': passkey,
  '0113-fresh-proof.sql': freshProof,
  '0114-second-factor-by-role.sql': secondFactorByRole,
  '0115-month-edges.sql': monthEdges,
  '0116-month-starts.sql': monthStarts,
  '0117-signing-key.sql': signingKey,
  '0118-earlier-server.sql': earlierServer,
  '0120-rate-limit.sql': rateLimit,
  '0121-sign-in-record.sql': signInRecord,
  '0122-session-by-sign-in.sql': sessionBySignIn,
  '0123-directory-grant.sql': directoryGrant,
  '0125-keys-by-tenant.sql': keysByTenant,
  '0126-tenant-in-keys.sql': tenantInKeys,
  '0127-checked-parts.sql': checkedParts,
  '0128-account-keys.sql': accountKeys,
  '0129-tenant-in-account-keys.sql': tenantInAccountKeys,
  '0130-tenant-in-other-keys.sql': tenantInOtherKeys,
  '0131-checked-accounts.sql': checkedAccounts,
  '0132-former-keys.sql': formerKeys,
  '0133-plugin-package.sql': pluginPackage,
  '0134-bounded-row.sql': boundedRow,
  '0140-personal-access.sql': personalAccess,
  '0141-provided-account.sql': providedAccount,
};
