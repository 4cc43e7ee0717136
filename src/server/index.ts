export { problem, problems, Refusal } from '#shared/errors';
export { nodesOf, treeOf } from '#shared/tree';
export { type Actor, actingAs, currentActor } from './audit/actor.ts';
export { recordChange } from './audit/changes.ts';
export { SystemLog, type SystemLogEntry } from './audit/system-log.ts';
export { secretHash } from './auth/clients.ts';
export { collectPasswords, handPassword } from './auth/collected-passwords.ts';
export { givePassword } from './auth/one-time-passwords.ts';
export { generatedPassword } from './auth/passwords.ts';
export type { Principal } from './auth/principal.ts';
export { invalidatePrincipals, type PrincipalInvalidation } from './auth/principal-cache.ts';
export { endSessions } from './auth/sessions.ts';
export { backupStep } from './backups/backups.ts';
export { announceCompatibility } from './bladex/compatible-clients.ts';
export { Database, type Scope, type Sql } from './db/database.ts';
export {
  type Repository,
  type RepositoryOptions,
  repositoryOf,
  type TreeOptions,
  type TreeRepository,
  treeRepositoryOf,
  type WriteContext,
} from './db/repository.ts';
export { reorder } from './db/row-order.ts';
export { canSeeField, hasFullAccess, namedAsSeen, scopedField, visibleRows } from './db/row-scope.ts';
export { safeHtml } from './db/safe-html.ts';
export { type TableOf, tableOf } from './db/table.ts';
export { type Egress, EgressError } from './egress/egress.ts';
export { addedValue } from './extensions/added-values.ts';
export type { FigureSource } from './figures/figures.ts';
export { setupStep } from './figures/setup-step.ts';
export { readAll } from './files/content-check.ts';
export { sanitizeFilename } from './files/counted.ts';
export { type ByteRange, ObjectStore, type Part, type PartedUpload, partBytes, type SignedPost } from './files/object-store.ts';
export { publishPicture } from './files/publish-picture.ts';
export { StoreDirectory } from './files/stores.ts';
export { type Delivery, Inbox } from './inbox/inbox.ts';
export { type JobRun, type MapRun, type Processor, Processors, type RunLevel } from './jobs/processors.ts';
export { type Audience, Live } from './live/live.ts';
export { Parameters } from './parameters.ts';
export { type GrantableRole, grantableRoles } from './permission/grantable-roles.ts';
export { assertManageable, callersRoles } from './permission/manageable-accounts.ts';
export { type CallRequest, defineServerPlugin, type Handler, type InstalledPlugin, type Prepared, type ServerContext, type ServerPlugin } from './plugin.ts';
export { literals, rowsOf } from './rows.ts';
export type { ServiceToken } from './services.ts';
export { Sms, SmsChannel, type SmsMessage, type SmsNotice, type SmsTemplate } from './sms/sms.ts';
export type { PluginFacts } from './switches/plugin-facts.ts';
export { type PluginSwitches, wholeDeployment } from './switches/plugin-switches.ts';
export { type DisabledReason, SwitchablePlugins } from './switches/switchable-plugins.ts';
export type { SheetServing } from './transfers/targets.ts';
