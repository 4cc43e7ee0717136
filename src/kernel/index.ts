/** The console kernel's public face: what a plugin's console half may use, and nothing else. */

export { Session, SignedIn, SignedOut } from './auth/session.ts';
export type { Undo } from './bus.ts';

export { Bus } from './bus.ts';
export { CrudPage } from './crud/CrudPage.tsx';
export type { ColumnOverride, CrudAction, CrudCalls, CrudPageProps, CrudScreen, ParentTree } from './crud/crud-screen.ts';
export { useUnsavedChanges } from './crud/use-unsaved-changes.ts';
export { AnswerFailure } from './errors/answer-failure.ts';
export { TransportError } from './errors/transport-error.ts';
export type { Answer, SendOptions } from './http/http.ts';
export { Http } from './http/http.ts';
export { Locale } from './i18n/locale.ts';
export { useText, useWords } from './i18n/use-words.ts';
export type { Loadable } from './loadable.ts';
export { loadable } from './loadable.ts';
export type { MenuState } from './menu/menu.ts';
export { MenuTree } from './menu/menu.ts';

export { Permission } from './permission/permission.ts';
export { AdministratorOnly, Can, useCan } from './permission/use-can.tsx';
export type { Page, Plugin, PluginContext, PluginEntry, Provide, ServiceClass } from './plugin.ts';
export { definePlugin, page } from './plugin.ts';
export { useService } from './services.tsx';
export type { Question } from './shell/dialogs.ts';
export { Dialogs } from './shell/dialogs.ts';
export type { SidePanelProps } from './shell/SidePanel.tsx';
export { SidePanel } from './shell/SidePanel.tsx';
export { Toasts } from './shell/toasts.ts';
export { JsonStorage } from './storage.ts';
export { Store } from './store.ts';
export type { Tab } from './tabs/tabs.ts';
export { Tabs } from './tabs/tabs.ts';
export type { Appearance } from './theme/theme.ts';
export { Theme } from './theme/theme.ts';
export { useStore, useStorePath } from './use-store.ts';
export { useStream } from './use-stream.ts';
