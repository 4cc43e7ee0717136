/** Public API of the console kernel: the only exports that a plugin's console half may use. */

export type { Disposer } from './base/bus/bus.ts';
export { Bus } from './base/bus/bus.ts';
export type { Provide, ServiceClass, Services } from './base/container/services.ts';
export { useService } from './base/react/services.tsx';
export { useStore, useStorePath } from './base/react/use-store.ts';
export { useStream } from './base/react/use-stream.ts';
export { Store } from './base/store/store.ts';
export type { LoggedStore } from './base/store/store-log.ts';
export { FormattedText } from './crud/cells/FormattedText.tsx';
export { Tag } from './crud/cells/Tag.tsx';
export { FieldControl } from './crud/form/FieldControl.tsx';
export { InlineForm } from './crud/form/InlineForm.tsx';
export { ScreenDialog } from './crud/form/ScreenDialog.tsx';
export { ChangeTable } from './crud/history/ChangeTable.tsx';
export { type RecordHistoryItem, RecordHistoryItems } from './crud/history/history-items.ts';
export { RowHistory } from './crud/history/RowHistory.tsx';
export { moneyText } from './crud/model/cell-text.ts';
export type {
  BatchAction,
  BatchOutcome,
  ColumnOverride,
  CrudAction,
  CrudCalls,
  CrudPageProps,
  CrudScreen,
  EmptyTexts,
  InputOverride,
  InputProps,
  ParentTree,
  PendingRowAction,
  RequiredEmptyTexts,
  Row,
  RowAction,
  ToolbarAction,
} from './crud/model/crud-screen.ts';
export { RowsChanged } from './crud/model/rows-changed.ts';
export { CrudPage } from './crud/page/CrudPage.tsx';
export { PartialBatchReport } from './crud/page/PartialBatchReport.tsx';
export type {
  AddedColumn,
  ListRowAction,
  ListSnapshot,
  ListToolbarItem,
  ListToolbarProps,
  ScreenAddition,
  ScreenAdditionOf,
} from './crud/page/screen-additions.ts';
export { addToScreen, ListRowActions, ListToolbarItems } from './crud/page/screen-additions.ts';
export { useShownRelation } from './crud/record/related-list.ts';
export { useRowsLink } from './crud/search/use-rows-link.ts';
export { type ViewAction, type ViewActionProps, ViewActions } from './crud/search/view-actions.ts';
export type { LoadablePlugin, PageRouteOptions, Plugin, PluginContext, PluginPage, Share } from './host/plugin/plugin.ts';
export { definePlugin, PluginOptions, page, route, usePluginOptions } from './host/plugin/plugin.ts';
export type { PluginState } from './host/plugin/plugin-state.ts';
export { PluginHost } from './host/plugin-host/plugin-host.ts';
export { basePath, currentPath } from './platform/browser/base-path.ts';
export { copyText } from './platform/browser/copy-text.ts';
export { openAddress } from './platform/browser/open-address.ts';
export { createPasskey, type PasskeyFailure, type PasskeyResult } from './platform/browser/passkey-credentials.ts';
export { hasPasskeys } from './platform/browser/passkey-support.ts';
export { saveFile } from './platform/browser/save-file.ts';
export { JsonStorage } from './platform/browser/storage.ts';
export { useMediaQuery } from './platform/browser/use-media-query.ts';
export type { DictionaryEntry, DictionarySource } from './platform/dictionaries/dictionaries.ts';
export { Dictionaries, useDictionary } from './platform/dictionaries/dictionaries.ts';
export type { Question } from './platform/feedback/dialogs.ts';
export { Dialogs } from './platform/feedback/dialogs.ts';
export type { ToastAction } from './platform/feedback/toasts.ts';
export { Toasts } from './platform/feedback/toasts.ts';
export { unknownError } from './platform/http/envelope.ts';
export type { Answer, SendOptions } from './platform/http/http.ts';
export { Http } from './platform/http/http.ts';
export { observeRequest, type RequestResult } from './platform/http/observe-request.ts';
export { ResponseError } from './platform/http/response-error.ts';
export { TransportError } from './platform/http/transport-error.ts';
export { type ActionResult, type Mutation, type MutationOptions, useMutation, useTransportErrorToast } from './platform/http/use-mutation.ts';
export { type QueryOptions, type QueryState, useQuery } from './platform/http/use-query.ts';
export { formatDateTime } from './platform/i18n/date-time.ts';
export { Locale } from './platform/i18n/locale.ts';
export { type Translate, useTranslation } from './platform/i18n/use-translation.ts';
export { Live } from './platform/live/live.ts';
export type { MenuState } from './platform/menu/menu.ts';
export { MenuTree } from './platform/menu/menu.ts';
export { Permission } from './platform/permission/permission.ts';
export { AdministratorOnly, Can, useCan } from './platform/permission/use-can.tsx';
export { UserPreferences, usePreference } from './platform/preferences/user-preferences.ts';
export { IdentityReturns, type ProviderReturn } from './platform/session/identity-returns.ts';
export type { SignInGrant } from './platform/session/session.ts';
export { Session, SignedIn, SignedOut } from './platform/session/session.ts';
export { useToday } from './platform/session/use-today.ts';
export { roleNames } from './platform/session/use-user.ts';
export { Branding } from './platform/theme/branding.ts';
export type { Appearance } from './platform/theme/theme.ts';
export { Theme } from './platform/theme/theme.ts';
export { PageBoundary } from './ui/errors/PageBoundary.tsx';
export { PasswordField } from './ui/fields/PasswordField.tsx';
export { PasswordForm } from './ui/fields/PasswordForm.tsx';
export { PasswordRules } from './ui/fields/PasswordRules.tsx';
export { SubmitButton } from './ui/fields/SubmitButton.tsx';
export { matchesSearch, usePinyin } from './ui/fields/search-match.ts';
export { TextField } from './ui/fields/TextField.tsx';
export { FileCard, FileCards } from './ui/files/FileCards.tsx';
export { FilePreview } from './ui/files/FilePreview.tsx';
export { fileKind } from './ui/files/file-kinds.ts';
export { thumbnailUrl } from './ui/files/file-link.ts';
export { formatBytes } from './ui/files/format-bytes.ts';
export type { PreviewFile } from './ui/files/Preview.tsx';
export { UploadArea } from './ui/files/UploadArea.tsx';
export { Hint, LoadedPart } from './ui/loading/LoadedPart.tsx';
export { lazyComponent } from './ui/loading/lazy-component.tsx';
export { loadingMessages } from './ui/loading/loading-messages.ts';
export { PageSkeleton } from './ui/loading/PageSkeleton.tsx';
export { MenuIcon } from './ui/menus/MenuIcon.tsx';
export { Dialog } from './ui/overlays/Dialog.tsx';
export { OneTimePasswords, OneTimeSecret } from './ui/overlays/OneTimeSecret.tsx';
export { SidePanel } from './ui/overlays/SidePanel.tsx';
export type { SidePanelProps } from './ui/overlays/SidePanelSheet.tsx';
export { usePrinted } from './ui/overlays/use-printed.ts';
export { type AddressOptions, useAddressPage, useAddressParameter, useAddressText, useExistingPage } from './ui/pane/use-address-parameter.ts';
export { type Draft, useDraft } from './ui/pane/use-draft.ts';
export { usePageStore } from './ui/pane/use-page-store.ts';
export { useTabTitle } from './ui/pane/use-tab-title.ts';
export { useUnsavedChanges } from './ui/pane/use-unsaved-changes.ts';
export { CopyButton } from './ui/primitives/CopyButton.tsx';
export { CountBadge } from './ui/primitives/CountBadge.tsx';
export { Graph, type GraphNode } from './ui/primitives/Graph.tsx';
export { Icon, type IconName } from './ui/primitives/Icon.tsx';
export { IconButton } from './ui/primitives/IconButton.tsx';
export { ActionButton, Item, ItemList } from './ui/primitives/ItemList.tsx';
export { NamedSelect } from './ui/primitives/NamedSelect.tsx';
export { OrderList, useOrder } from './ui/primitives/OrderList.tsx';
export { ProviderIcon } from './ui/primitives/ProviderIcon.tsx';
export { SegmentedControl } from './ui/primitives/SegmentedControl.tsx';
export { Switch } from './ui/primitives/Switch.tsx';
export { ContributionBoundary } from './ui/slots/ContributionBoundary.tsx';
export type { Panel } from './ui/slots/Panels.tsx';
export type { SlotContribution } from './ui/slots/slots.ts';
export { type Contribution, contribute, type Slot, slot, useSlot } from './ui/slots/slots.ts';
export type { LoggedEvent } from './workbench/diagnostics/event-log.ts';
export { type Diagnostics, loadedAdditions, useDiagnostics } from './workbench/diagnostics/use-diagnostics.ts';
export { HomeContributions, HomePanel, RecentPageList, Shortcuts } from './workbench/home/Home.tsx';
export { Preview } from './workbench/preview/preview.ts';
export { CaptchaProof } from './workbench/sign-in/proof/CaptchaProof.tsx';
export { type Captcha, useCaptcha, useDeferredSubmit } from './workbench/sign-in/proof/captcha.ts';
export { SignInButton } from './workbench/sign-in/SignInButton.tsx';
export { PasskeySignIn } from './workbench/sign-in/steps/PasskeySignIn.tsx';
export { StepActions, StepButton, StepDialog, StepDialogHint, StepFieldRow, StepForm, StepHeading, StepNotice } from './workbench/sign-in/steps/StepParts.tsx';
export type { SignInButtonsProps, SignInMethod, SignInStep, SignInStepProps } from './workbench/sign-in/steps/sign-in-method.ts';
export type { SignInTenant } from './workbench/sign-in/steps/sign-in-tenant.ts';
export { TenantField } from './workbench/sign-in/steps/TenantField.tsx';
export { useSignInAttempt } from './workbench/sign-in/steps/use-sign-in-attempt.ts';
export type { HeaderItem, PaletteAction, UserMenuItem } from './workbench/slots.ts';
export { HeaderItems, HomePanels, PaletteActions, SettingsSections, UserMenuItems } from './workbench/slots.ts';
export type { Tab } from './workbench/tabs/tabs.ts';
export { Tabs } from './workbench/tabs/tabs.ts';
