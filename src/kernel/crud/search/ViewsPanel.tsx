import { Button, Input } from '@arco-design/web-react';
import { IconClose, IconDelete, IconLink, IconStar, IconStarFill, IconUserGroup } from '@arco-design/web-react/icon';
import { type SubmitEvent, useState } from 'react';
import { useService } from '../../base/react/services.tsx';
import { copyText } from '../../platform/browser/copy-text.ts';
import { Toasts } from '../../platform/feedback/toasts.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import type { CrudCalls } from '../model/crud-screen.ts';
import type { CrudStore } from '../model/crud-store.ts';
import type { ColumnSetting, TableSettings } from '../model/table-settings.ts';
import { viewLink } from './use-list-address.ts';
import { useViews } from './use-views.ts';

import { fromShared, maxViews, type NamedView, supportedView, toSavedView, type View, viewOf, withRestoredView } from './views.ts';
import './filters.css';
import type { ReactNode } from 'react';
import { firstValueFrom } from 'rxjs';
import type { Call, InputOf } from '#shared/contract';
import { type SharedView, sharedViews } from '#shared/views';
import { Http } from '../../platform/http/http.ts';
import { observeRequest } from '../../platform/http/observe-request.ts';
import { useQuery } from '../../platform/http/use-query.ts';
import { ContributionBoundary } from '../../ui/slots/ContributionBoundary.tsx';
import { useSlot } from '../../ui/slots/slots.ts';
import { ViewActions } from './view-actions.ts';

/** Views of a table shared within the tenant, and the operations of this user on them. */
interface SharedViews {
  readonly all: readonly SharedView[];
  readonly hasFailed: boolean;
  /** Returns the view this user shares under a name. */
  findOwn(name: string): SharedView | undefined;
  /** Shares a view, or updates the shared one of the same name. */
  share(view: NamedView): Promise<void>;
  withdraw(view: SharedView): Promise<void>;
  reload(): void;
}

const none: readonly SharedView[] = [];

/** Loads the shared views of a table, and again once they have changed. */
function useSharedViews({ list: { path: listPath } }: CrudCalls): SharedViews {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const { data: all = none, error, refetch } = useQuery(sharedViews.list, { of: listPath }, { quiet: true });
  const change = async <C extends Call>(call: C, input: InputOf<C>, message: string) => {
    const answer = await firstValueFrom(observeRequest(http, call, input));
    if ('localizedMessage' in answer) toasts.error(t(answer.localizedMessage));
    if (!answer.success) return;
    toasts.success(message);
    refetch();
  };
  return {
    all,
    hasFailed: error !== undefined && all === none,
    reload: refetch,
    findOwn: (name) => all.find((view) => view.isOwn && view.name === name),
    share: ({ name, ...view }) => change(sharedViews.share, { of: listPath, name, view: toSavedView(view) }, t('table.viewShared', { name })),
    withdraw: ({ id, name }) => change(sharedViews.withdraw, { id }, t('table.viewWithdrawn', { name })),
  };
}

interface ViewsPanelProps {
  readonly store: CrudStore;
  readonly crud: CrudCalls;
  readonly settings: TableSettings;
  readonly onColumns: (columns: readonly ColumnSetting[]) => void;
  readonly onDone: () => void;
}

/** Manages the saved views of this table: apply, set as default, share with all users who may see it, or copy a link. */
export default function ViewsPanel({ store, crud, settings, onColumns, onDone }: ViewsPanelProps) {
  const t = useTranslation();
  const toasts = useService(Toasts);
  const [saved, setSaved, latest] = useViews(crud);
  const { views, standard: defaultViewName, follows: defaultSharedViewId } = saved;
  const shared = useSharedViews(crud);
  const [name, setName] = useState('');
  const viewActions = useSlot(ViewActions);
  const current = () => viewOf(store.state.query, settings.columns);

  const save = (event: SubmitEvent) => {
    event.preventDefault();
    const viewName = name.trim();
    if (!viewName) return;
    const others = views.filter((view) => view.name !== viewName);
    if (others.length >= maxViews) return toasts.warning(t('table.viewsFull'));
    const view = { name: viewName, ...current() };
    setSaved({ ...saved, views: [...others, view] });
    setName('');
    toasts.success(t(others.length < views.length ? 'table.viewNameTaken' : 'table.viewSaved', { name: viewName }));
    if (shared.findOwn(viewName)) void shared.share(view);
  };
  const apply = (view: View) => {
    const { columns, ...query } = supportedView(crud, view);
    onColumns(columns);
    store.setQuery(query);
    onDone();
  };
  const toggleShared = (view: NamedView) => {
    const sharedView = shared.findOwn(view.name);
    void (sharedView ? shared.withdraw(sharedView) : shared.share(view));
  };
  const remove = (view: NamedView) => {
    setSaved({ ...saved, views: views.filter((other) => other !== view), standard: view.name === defaultViewName ? undefined : defaultViewName });
    const sharedView = shared.findOwn(view.name);
    const withdrawal = sharedView && shared.withdraw(sharedView);
    const restore = async () => {
      const current = latest();
      // A view that has been saved under the name since then stays.
      if (current.views.some(({ name }) => name === view.name)) return;
      setSaved(withRestoredView(current, saved, view));
      await withdrawal;
      if (sharedView) await shared.share(view);
    };
    toasts.success(t('table.viewDeleted', { name: view.name }), { title: t('table.undo'), onClick: () => void restore() });
  };
  const copy = async (view: View) => {
    const link = viewLink(view);
    if (await copyText(link)) toasts.success(t('table.linkCopied'));
    else toasts.warning(link);
  };

  return (
    <div className="crud-popup crud-views" role="dialog" aria-label={t('table.views')}>
      {views.length === 0 && <p className="crud-views__hint">{t('table.noViews')}</p>}
      <ul className="crud-views__list">
        {views.map((view) => {
          const viewName = { name: view.name };
          const isDefault = !defaultSharedViewId && view.name === defaultViewName;
          const isShared = shared.findOwn(view.name) !== undefined;
          return (
            <ViewRow key={view.name} name={view.name} onApply={() => apply(view)}>
              <ViewButton
                icon={isDefault ? <IconStarFill /> : <IconStar />}
                title={t(isDefault ? 'table.clearDefaultView' : 'table.defaultView', viewName)}
                isActive={isDefault}
                onClick={() => setSaved({ views, standard: isDefault ? undefined : view.name })}
              />
              <ViewButton
                icon={<IconUserGroup />}
                title={t(isShared ? 'table.withdrawView' : 'table.shareView', viewName)}
                isActive={isShared}
                onClick={() => toggleShared(view)}
              />
              <ViewButton icon={<IconLink />} title={`${t('table.copyLink')} · ${view.name}`} onClick={() => void copy(view)} />
              {viewActions.map((contribution) => (
                <ContributionBoundary key={contribution.key} owner={contribution}>
                  <contribution.part.Item crud={crud} view={view.name} />
                </ContributionBoundary>
              ))}
              <ViewButton icon={<IconDelete />} title={t('table.deleteView', viewName)} onClick={() => remove(view)} />
            </ViewRow>
          );
        })}
      </ul>
      <SharedViewList
        shared={shared}
        savedNames={new Set(views.map((view) => view.name))}
        defaultId={defaultSharedViewId}
        onDefault={(view) => setSaved(view ? { views, follows: view.id, followed: view.view } : { views })}
        onApply={apply}
        onCopy={(view) => void copy(view)}
      />
      <form className="crud-views__new" onSubmit={save}>
        <Input size="small" maxLength={40} aria-label={t('table.viewName')} placeholder={t('table.viewName')} value={name} onChange={setName} />
        <Button size="small" type="primary" htmlType="submit" disabled={name.trim() === ''}>
          {t('table.saveView')}
        </Button>
        <Button size="small" icon={<IconLink />} onClick={() => void copy(current())}>
          {t('table.copyLink')}
        </Button>
      </form>
      <p className="crud-views__hint">{t('table.saveHint')}</p>
    </div>
  );
}

interface SharedViewListProps {
  readonly shared: SharedViews;
  /** Names of the user's own views, which indicate themselves whether they are shared. */
  readonly savedNames: ReadonlySet<string>;
  /** Id of the view the user has set as default. */
  readonly defaultId: string | undefined;
  /** Sets the default view, or none. */
  readonly onDefault: (view: SharedView | undefined) => void;
  readonly onApply: (view: View) => void;
  readonly onCopy: (view: View) => void;
}

/** Lists the shared views: all users may apply them, set one as default and copy a link; users with the permission may withdraw them. */
function SharedViewList({ shared, savedNames, defaultId, onDefault, onApply, onCopy }: SharedViewListProps) {
  const t = useTranslation();
  const others = shared.all.filter(({ isOwn, name }) => !(isOwn && savedNames.has(name)));
  if (shared.hasFailed)
    return (
      <p className="crud-views__hint" role="alert">
        {t('table.sharedFailed')}{' '}
        <button type="button" className="crud-views__retry" onClick={shared.reload}>
          {t('errors.retry')}
        </button>
      </p>
    );
  if (others.length === 0) return null;
  return (
    <section aria-label={t('table.sharedViews')}>
      <h2 className="crud-views__heading">{t('table.sharedViews')}</h2>
      <ul className="crud-views__list">
        {others.map((view) => (
          <ViewRow key={view.id} name={view.name} owner={view.isOwn ? t('table.sharedByYou') : view.owner} onApply={() => onApply(fromShared(view))}>
            <ViewButton
              icon={view.id === defaultId ? <IconStarFill /> : <IconStar />}
              title={t(view.id === defaultId ? 'table.clearDefaultView' : 'table.defaultView', { name: view.name })}
              isActive={view.id === defaultId}
              onClick={() => onDefault(view.id === defaultId ? undefined : view)}
            />
            <ViewButton icon={<IconLink />} title={`${t('table.copyLink')} · ${view.name}`} onClick={() => onCopy(fromShared(view))} />
            {view.mayWithdraw && (
              <ViewButton icon={<IconClose />} title={t('table.withdrawView', { name: view.name })} onClick={() => void shared.withdraw(view)} />
            )}
          </ViewRow>
        ))}
      </ul>
    </section>
  );
}

interface ViewRowProps {
  readonly name: string;
  /** Name of the owner when the view belongs to another user. */
  readonly owner?: string;
  readonly onApply: () => void;
  /** Further actions on the view. */
  readonly children: ReactNode;
}

/** Renders one view; a click on its name applies it. */
function ViewRow({ name, owner, onApply, children }: ViewRowProps) {
  const t = useTranslation();
  return (
    <li>
      <button type="button" className="crud-views__name" title={t('table.applyView', { name })} onClick={onApply}>
        <span className="crud-views__title">{name}</span>
        {owner && <span className="crud-views__owner">{owner}</span>}
      </button>
      {children}
    </li>
  );
}

interface ViewButtonProps {
  readonly icon: ReactNode;
  readonly title: string;
  /** True if a toggle is on, as its title also says; absent for other buttons. */
  readonly isActive?: boolean;
  readonly onClick: () => void;
}

/** Renders a small button of a view. */
function ViewButton({ icon, title, isActive, onClick }: ViewButtonProps) {
  return (
    <Button
      type="text"
      size="small"
      icon={icon}
      aria-label={title}
      title={title}
      className={isActive === false ? 'crud-views__tool_off' : ''}
      onClick={onClick}
    />
  );
}
