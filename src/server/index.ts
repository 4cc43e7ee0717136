export { ApiError, problem, problems } from '#shared/errors';
export { nodesOf, treeOf } from '#shared/tree';
export type { FilesBucketConfiguration } from './base/configuration/files-bucket.ts';
export { type Egress, EgressError } from './base/egress.ts';
export { Parameters } from './base/parameters.ts';
export { type HttpRequest, type HttpResponse, HttpTimeoutError } from './base/send-http.ts';
export type { ServiceToken } from './base/services.ts';
export { type Actor, actingAs, currentActor, withFullAccess } from './data/context/actor.ts';
export { type Change, changingThrough, recordChange } from './data/context/changes.ts';
export { isTenantId, platformTenant } from './data/context/identity.ts';
export { Database, type Scope, type Sql } from './data/database/database.ts';
export { decryptStored, encryptPlainTexts, type PlainTexts } from './data/database/plain-secrets.ts';
export { type DeclaredReference, dictionaryTarget } from './data/database/reference-registry.ts';
export { hasId, idArray, isActive, isNotDeleted, literals, queryRows, textArray } from './data/database/rows.ts';
export { type BatchRefusal, type BatchRequest, batchResult, missingRows, runBatch } from './data/repository/batch.ts';
export { orderedBy, reorder } from './data/repository/order.ts';
export { assertUnused } from './data/repository/record-uses.ts';
export {
  type ChangedRow,
  type PageOptions,
  type Repository,
  type RepositoryOptions,
  type RowChange,
  type RowSelection,
  repositoryOf,
  type TreeOptions,
  type TreeRepository,
  treeRepositoryOf,
  type WriteContext,
} from './data/repository/repository.ts';
export { assertCurrentVersion } from './data/repository/row-conflict.ts';
export { boundOf, canSeeField, hasFullAccess, isHidden, textColumn, visibleRows, withVisibleLabels } from './data/repository/row-scope.ts';
export { recycleDaysOf, withoutOutdatedEnglish } from './data/repository/row-values.ts';
export { safeHtml } from './data/schema/safe-html.ts';
export { type TableOf, tableOf } from './data/schema/table.ts';
export { isMasked, maskedRow, maskedValue } from './data/scope/personal-fields.ts';
export { schemaAt, scopedField } from './data/scope/scope-conditions.ts';
export {
  type CrudServing,
  crudRoutes,
  type DeclaredFilter,
  type DeclaredTask,
  filterHandler,
  listener,
  type PluginRoute,
  provide,
  type ServedScreen,
  type ServerContributions,
  type SheetServing,
  searchSource,
} from './host/plugin-host/contributions.ts';
export type { PluginFacts } from './host/plugin-host/plugin.ts';
export { Deployment, defineServerPlugin, type InstalledPlugin, type ServerContext, type ServerPlugin } from './host/plugin-host/plugin.ts';
export { LogDestination } from './platform/audit/log-sink.ts';
export { flushChanges } from './platform/audit/record-history.ts';
export { SystemLog, type SystemLogEntry } from './platform/audit/system-log.ts';
export { type BackupOptions, Backups, type MadeBackup } from './platform/backup/backups.ts';
export { publishClientCompatibility } from './platform/bladex/compatible-clients.ts';
export { deletionEdge } from './platform/evidence/deletion-edge.ts';
export { Evidence } from './platform/evidence/evidence.ts';
export type { SealedTable } from './platform/evidence/sealed-table.ts';
export { AddedFields, addedValue } from './platform/extensions/entity-extensions.ts';
export { backupStep } from './platform/figures/backups.ts';
export { type FigureSource, FigureSources, setupStep } from './platform/figures/figures.ts';
export { sanitizeFilename } from './platform/files/byte-limit.ts';
export { contentTypeOf, readAll } from './platform/files/content-type.ts';
export { type ByteRange, type MultipartUpload, ObjectStore, type Part, partBytes, type SignedPost } from './platform/files/object-store.ts';
export { publishPicture } from './platform/files/publish-picture.ts';
export { StoreDirectory } from './platform/files/stores.ts';
export { certificateItem } from './platform/health/certificates.ts';
export { type HealthSource, HealthSources } from './platform/health/health-sources.ts';
export { Principals } from './platform/http/authorize-call.ts';
export { type CallRequest, type Origin, type Prepared, type Route, type RouteOptions, route } from './platform/http/route.ts';
export { approveAccount, removeApplicant } from './platform/identity/accounts/account-status.ts';
export { createAdministrator } from './platform/identity/accounts/administrator-account.ts';
export { createApplicant } from './platform/identity/accounts/applicants.ts';
export { ensureClient, secretHash } from './platform/identity/accounts/clients.ts';
export { createProvidedAccount, lockProvidedAccount, type ProvidedAccount, unlockProvidedAccount } from './platform/identity/accounts/provided-accounts.ts';
export type { Identities, Profile, StoredIdentity } from './platform/identity/oauth/identities.ts';
export { assignOneTimePassword, collectPassword, collectPasswords } from './platform/identity/passwords/one-time-passwords.ts';
export { generatedPassword, Passwords } from './platform/identity/passwords/passwords.ts';
export { Reauth } from './platform/identity/passwords/reauth.ts';
export type { ProviderEnding } from './platform/identity/sessions/provider-endings.ts';
export { endSessions } from './platform/identity/sessions/sessions.ts';
export {
  type SignInMethod,
  SignInPort,
  type SignInRequest,
  type SignInResult,
  signInRoute,
  type VerifiedIdentity,
} from './platform/identity/sign-in/sign-in-methods.ts';
export { type Delivery, Inbox } from './platform/inbox/inbox.ts';
export { Mail, type MailAttachment, type MailData, type MailKind, type MailRequest } from './platform/inbox/mail.ts';
export {
  type DeclaredSchedule,
  type ExecutionKind,
  executionKinds,
  type JobRun,
  type MapRun,
  type Processor,
  Processors,
  type RunLevel,
} from './platform/jobs/processors.ts';
export { type Audience, Live } from './platform/live/live.ts';
export type { GaugeHealth, GaugeSource, GaugeValue } from './platform/metrics/metrics.ts';
export { maxPackageBytes, PackageError } from './platform/packages/package-file.ts';
export type { PackageRights } from './platform/packages/package-rights.ts';
export { type InstalledPackage, type PackageData, PluginPackages, type UploadedPackage } from './platform/packages/plugin-packages.ts';
export { Explanations } from './platform/permission/explanations.ts';
export { type GrantableRole, grantableRoles, roleNameIn } from './platform/permission/grantable-roles.ts';
export { isAdministrator } from './platform/permission/granted-menus.ts';
export { assertManageable, rolesForCaller } from './platform/permission/manageable-accounts.ts';
export { type NamedScopeField, namedScopeFields } from './platform/permission/scope-fields.ts';
export { ruleScope, rulesOf, type ScopeRule } from './platform/permission/scope-rules.ts';
export { ScopeSentences } from './platform/permission/scope-sentences.ts';
export { dataScopesOf } from './platform/permission/scopes.ts';
export { recordPersonalAccess } from './platform/personal/access-log.ts';
export type { Person, PersonReference } from './platform/personal/people.ts';
export { personArchive } from './platform/personal/person-archive.ts';
export type { ErasureReport } from './platform/personal/person-erasure.ts';
export type { PersonExport } from './platform/personal/person-export.ts';
export { PersonalData, personProblems } from './platform/personal/personal-data.ts';
export { erasedName, type KeptRows, type PersonalRecords, type PersonKey, recordsOf } from './platform/personal/personal-records.ts';
export type { Principal } from './platform/principal/principal.ts';
export { invalidatePrincipals, type PrincipalInvalidation } from './platform/principal/principal-cache.ts';
export { DictionaryLabels } from './platform/references/dictionary-labels.ts';
export { type ReferenceReader, ReferenceReaders } from './platform/references/reference-reader.ts';
export { RunningServers } from './platform/replicas/running-servers.ts';
export { findTyped, type TypedSearch } from './platform/search/find-typed.ts';
export type { SearchedFields, SearchSource } from './platform/search/search-sources.ts';
export { Sms, SmsChannel, type SmsMessage, type SmsNotice, type SmsTemplate } from './platform/sms/sms.ts';
export { PluginSwitches, wholeDeployment } from './platform/switches/plugin-switches.ts';
export { type DisabledReason, SwitchablePlugins } from './platform/switches/switchable-plugins.ts';
export { Webhooks } from './platform/webhooks/webhooks.ts';
