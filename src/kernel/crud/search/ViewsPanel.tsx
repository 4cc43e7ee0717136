import { Button, Input } from '@arco-design/web-react';
import { IconDelete, IconLink, IconStar, IconStarFill, IconUserGroup } from '@arco-design/web-react/icon';
import { type SubmitEvent, useState } from 'react';
import { useService } from '../../base/react/services.tsx';
import { copyText } from '../../platform/browser/copy-text.ts';
import { Toasts } from '../../platform/feedback/toasts.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import type { CrudCalls } from '../model/crud-screen.ts';
import type { CrudStore } from '../model/crud-store.ts';
import type { ColumnSetting, TableSettings } from '../model/table-settings.ts';
import { SharedViewList } from './SharedViewList.tsx';
import { useSharedViews } from './use-shared-views.ts';
import { useViews } from './use-views.ts';
import { ViewRow, ViewTool } from './ViewRow.tsx';
import { knownView, linkTo, mostViews, type NamedView, type View, viewOf } from './views.ts';
import './filters.css';

interface ViewsPanelProps {
  readonly store: CrudStore;
  readonly crud: CrudCalls;
  readonly settings: TableSettings;
  readonly onColumns: (columns: readonly ColumnSetting[]) => void;
  readonly onDone: () => void;
}

/** Manages the saved views of this table: apply, set as default, share with everybody who may see it, or copy a link. */
export default function ViewsPanel({ store, crud, settings, onColumns, onDone }: ViewsPanelProps) {
  const t = useTranslation();
  const toasts = useService(Toasts);
  const [kept, keep] = useViews(crud);
  const { views, standard, follows } = kept;
  const shared = useSharedViews(crud);
  const [name, setName] = useState('');
  const current = () => viewOf(store.state.query, settings.columns);

  const save = (event: SubmitEvent) => {
    event.preventDefault();
    const called = name.trim();
    if (!called) return;
    const others = views.filter((view) => view.name !== called);
    if (others.length >= mostViews) return toasts.warning(t('table.viewsFull'));
    const view = { name: called, ...current() };
    keep({ ...kept, views: [...others, view] });
    setName('');
    toasts.success(t(others.length < views.length ? 'table.viewNameTaken' : 'table.viewSaved', { name: called }));
    if (shared.own(called)) void shared.share(view);
  };
  const apply = (view: View) => {
    const { columns, ...query } = knownView(crud, view);
    onColumns(columns);
    store.setQuery(query);
    onDone();
  };
  const toggleShared = (view: NamedView) => {
    const given = shared.own(view.name);
    void (given ? shared.withdraw(given) : shared.share(view));
  };
  const remove = (view: NamedView) => {
    keep({ ...kept, views: views.filter((one) => one !== view), standard: view.name === standard ? undefined : standard });
    const given = shared.own(view.name);
    if (given) void shared.withdraw(given);
    const restore = () => {
      keep(kept);
      if (given) void shared.share(view);
    };
    toasts.success(t('table.viewDeleted', { name: view.name }), { title: t('table.undo'), onChoose: restore });
  };
  const copy = async (view: View) => {
    const link = linkTo(crud, view);
    if (await copyText(link)) toasts.success(t('table.linkCopied'));
    else toasts.warning(link);
  };

  return (
    <div className="crud-popup crud-views" role="dialog" aria-label={t('table.views')}>
      {views.length === 0 && <p className="crud-views__hint">{t('table.noViews')}</p>}
      <ul className="crud-views__list">
        {views.map((view) => {
          const called = { name: view.name };
          const isStandard = !follows && view.name === standard;
          const isShared = shared.own(view.name) !== undefined;
          return (
            <ViewRow key={view.name} name={view.name} onApply={() => apply(view)}>
              <ViewTool
                icon={isStandard ? <IconStarFill /> : <IconStar />}
                title={t(isStandard ? 'table.undefaultView' : 'table.defaultView', called)}
                isOn={isStandard}
                onClick={() => keep({ views, standard: isStandard ? undefined : view.name })}
              />
              <ViewTool
                icon={<IconUserGroup />}
                title={t(isShared ? 'table.withdrawView' : 'table.shareView', called)}
                isOn={isShared}
                onClick={() => toggleShared(view)}
              />
              <ViewTool icon={<IconLink />} title={`${t('table.copyLink')} · ${view.name}`} onClick={() => void copy(view)} />
              <ViewTool icon={<IconDelete />} title={t('table.deleteView', called)} onClick={() => remove(view)} />
            </ViewRow>
          );
        })}
      </ul>
      <SharedViewList
        shared={shared}
        own={new Set(views.map((view) => view.name))}
        follows={follows}
        onFollow={(one) => keep(one ? { views, follows: one.id, followed: one.view } : { views })}
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
