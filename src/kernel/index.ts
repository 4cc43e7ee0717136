/** Public API of the console kernel: the only exports that a plugin's console half may use. */

export { Session, SignedIn, SignedOut } from './auth/session.ts';
export type { Undo } from './bus.ts';

export { Bus } from './bus.ts';
export { copyText } from './copy-text.ts';
export { CrudPage } from './crud/CrudPage.tsx';
export { FormattedText } from './crud/cells/FormattedText.tsx';
export { Tag } from './crud/cells/Tag.tsx';
export type {
  ColumnOverride,
  CrudAction,
  CrudCalls,
  CrudPageProps,
  CrudScreen,
  InputOverride,
  InputProps,
  ParentTree,
  PendingRowAction,
} from './crud/crud-screen.ts';
export { useUnsavedChanges } from './crud/form/use-unsaved-changes.ts';
export { InlineForm } from './crud/InlineForm.tsx';
export { RowsChanged } from './crud/rows-changed.ts';
export { linkTo } from './crud/search/views.ts';
export type { LoggedEvent } from './diagnostics/event-log.ts';
export { type Diagnostics, loadedAdditions, useDiagnostics } from './diagnostics/use-diagnostics.ts';
export type { DictionaryEntry, DictionarySource } from './dictionaries/dictionaries.ts';
export { Dictionaries } from './dictionaries/dictionaries.ts';
export { useDictionary } from './dictionaries/use-dictionary.ts';
export { AnswerFailure } from './errors/answer-failure.ts';
export { PageBoundary } from './errors/PageBoundary.tsx';
export { TransportError } from './errors/transport-error.ts';
export { FileCard, FileCards } from './files/FileCards.tsx';
export { FilePreview } from './files/FilePreview.tsx';
export { fileKind } from './files/file-kinds.ts';
export { formatBytes } from './files/format-bytes.ts';
export type { PreviewFile } from './files/Preview.tsx';
export { thumbnailUrl } from './files/thumbnail-url.ts';
export { UploadArea } from './files/UploadArea.tsx';
export { Graph, type GraphNode } from './graph/Graph.tsx';
export type { Answer, SendOptions } from './http/http.ts';
export { Http } from './http/http.ts';
export { Locale } from './i18n/locale.ts';
export { clockText } from './i18n/moments.ts';
export { useToday } from './i18n/use-today.ts';
export { useText, useWords } from './i18n/use-words.ts';
export { Live } from './live/live.ts';
export type { Loadable } from './loadable.ts';
export { loadable } from './loadable.ts';
export type { MenuState } from './menu/menu.ts';
export { MenuTree } from './menu/menu.ts';
export { openAddress } from './open-address.ts';
export { OrderList } from './ordering/OrderList.tsx';
export { useOrder } from './ordering/use-order.ts';
export type { RowSearch } from './palette/found-rows.ts';
export { foundRows } from './palette/found-rows.ts';
export { part } from './part.tsx';
export { Permission } from './permission/permission.ts';
export { AdministratorOnly, Can, useCan } from './permission/use-can.tsx';
export type { Find, Page, Plugin, PluginContext, PluginEntry, Provide, RecordSearch, RouteOptions, SearchResult, ServiceClass, Share } from './plugin.ts';
export { definePlugin, page, records, route } from './plugin.ts';
export { PluginHost } from './plugin-host/plugin-host.ts';
export type { PluginState } from './plugin-host/plugin-state.ts';
export { PluginOptions, usePluginOptions } from './plugin-options.ts';
export { usePreference } from './preferences/use-preference.ts';
export { UserPreferences } from './preferences/user-preferences.ts';
export { Preview } from './preview/preview.ts';
export { saveFile } from './save-file.ts';
export { useService } from './services.tsx';
export { CountBadge } from './shell/CountBadge.tsx';
export type { Question } from './shell/dialogs.ts';
export { Dialogs } from './shell/dialogs.ts';
export { Greeting } from './shell/Greeting.tsx';
export { HomeGuests, HomePanel } from './shell/Home.tsx';
export { Icon } from './shell/Icon.tsx';
export { IconButton } from './shell/IconButton.tsx';
export { MenuIcon } from './shell/MenuIcon.tsx';
export { OneTimePasswords } from './shell/OneTimePasswords.tsx';
export { OneTimeSecret } from './shell/OneTimeSecret.tsx';
export { RecentPageList } from './shell/RecentPageList.tsx';
export { Shortcuts } from './shell/Shortcuts.tsx';
export { SidePanel } from './shell/SidePanel.tsx';
export type { SidePanelProps } from './shell/SidePanelSheet.tsx';
export type { ToastAction } from './shell/toasts.ts';
export { Toasts } from './shell/toasts.ts';
export { ContributionBoundary } from './slots/ContributionBoundary.tsx';
export type { AddedColumn, HeaderItem, PaletteAction, Panel, ScreenAddition, ScreenAdditionOf } from './slots/kernel-slots.ts';
export { addToScreen, HeaderItems, HomePanels, PaletteActions, SettingsSections } from './slots/kernel-slots.ts';
export { type Filling, fill, type Slot, slot } from './slots/slot.ts';
export type { SlotContribution } from './slots/slots.ts';
export { useSlot } from './slots/use-slot.ts';
export { JsonStorage } from './storage.ts';
export { Store } from './store.ts';
export type { LoggedStore } from './store-log.ts';
export type { Tab } from './tabs/tabs.ts';
export { Tabs } from './tabs/tabs.ts';
export { usePageStore } from './tabs/use-page-store.ts';
export { useTabTitle } from './tabs/use-tab-title.ts';
export type { Appearance } from './theme/theme.ts';
export { Theme } from './theme/theme.ts';
export { useQuery } from './use-query.ts';
export { useStore, useStorePath } from './use-store.ts';
export { useStream } from './use-stream.ts';
