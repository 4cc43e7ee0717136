import { Button, Input } from '@arco-design/web-react';
import { IconDelete, IconLink, IconStar, IconStarFill } from '@arco-design/web-react/icon';
import { type SubmitEvent, useState } from 'react';
import { useText } from '../../i18n/use-words.ts';
import { useService } from '../../services.tsx';
import { Toasts } from '../../shell/toasts.ts';
import type { CrudCalls } from '../crud-screen.ts';
import type { CrudStore } from '../crud-store.ts';
import type { ColumnSetting, TableSettings } from '../table/table-settings.ts';
import { useViews } from './use-views.ts';
import { knownView, linkTo, mostViews, type NamedView, type View, viewOf } from './views.ts';
import './filters.css';

interface ViewsPanelProps {
  readonly store: CrudStore;
  readonly crud: CrudCalls;
  readonly settings: TableSettings;
  readonly onColumns: (columns: readonly ColumnSetting[]) => void;
  readonly onDone: () => void;
}

/** The views an operator keeps of this table: shown, made the default, given to others as a link. */
export default function ViewsPanel({ store, crud, settings, onColumns, onDone }: ViewsPanelProps) {
  const text = useText();
  const toasts = useService(Toasts);
  const [{ views, standard }, keep] = useViews(crud);
  const [name, setName] = useState('');
  const current = () => viewOf(store.state.query, settings.columns);

  const save = (event: SubmitEvent) => {
    event.preventDefault();
    const called = name.trim();
    if (!called) return;
    const others = views.filter((view) => view.name !== called);
    if (others.length >= mostViews) return toasts.warning(text('table.viewsFull'));
    keep({ views: [...others, { name: called, ...current() }], standard });
    setName('');
    toasts.success(text(others.length < views.length ? 'table.viewNameTaken' : 'table.viewSaved', { name: called }));
  };
  const apply = (view: View) => {
    const { columns, ...query } = knownView(crud, view);
    onColumns(columns);
    store.seek(query);
    onDone();
  };
  const copy = async (view: View) => {
    const link = linkTo(crud, view);
    await navigator.clipboard.writeText(link).then(
      () => toasts.success(text('table.linkCopied')),
      () => toasts.warning(link),
    );
  };

  return (
    <div className="crud-popup crud-views" role="dialog" aria-label={text('table.views')}>
      {views.length === 0 && <p className="crud-views__hint">{text('table.noViews')}</p>}
      <ul className="crud-views__list">
        {views.map((view) => (
          <ViewRow
            key={view.name}
            view={view}
            isStandard={view.name === standard}
            onApply={() => apply(view)}
            onCopy={() => void copy(view)}
            onStandard={() => keep({ views, standard: view.name === standard ? undefined : view.name })}
            onRemove={() => keep({ views: views.filter((one) => one !== view), standard: view.name === standard ? undefined : standard })}
          />
        ))}
      </ul>
      <form className="crud-views__new" onSubmit={save}>
        <Input size="small" maxLength={40} aria-label={text('table.viewName')} placeholder={text('table.viewName')} value={name} onChange={setName} />
        <Button size="small" type="primary" htmlType="submit" disabled={name.trim() === ''}>
          {text('table.saveView')}
        </Button>
        <Button size="small" icon={<IconLink />} onClick={() => void copy(current())}>
          {text('table.copyLink')}
        </Button>
      </form>
      <p className="crud-views__hint">{text('table.saveHint')}</p>
    </div>
  );
}

interface ViewRowProps {
  readonly view: NamedView;
  readonly isStandard: boolean;
  readonly onApply: () => void;
  readonly onCopy: () => void;
  readonly onStandard: () => void;
  readonly onRemove: () => void;
}

function ViewRow({ view: { name }, isStandard, onApply, onCopy, onStandard, onRemove }: ViewRowProps) {
  const text = useText();
  const star = text(isStandard ? 'table.undefaultView' : 'table.defaultView', { name });
  const link = `${text('table.copyLink')} · ${name}`;
  const remove = text('table.deleteView', { name });
  return (
    <li>
      <button type="button" className="crud-views__name" title={text('table.applyView', { name })} onClick={onApply}>
        {name}
      </button>
      <Button
        type="text"
        size="small"
        icon={isStandard ? <IconStarFill /> : <IconStar />}
        aria-pressed={isStandard}
        aria-label={star}
        title={star}
        onClick={onStandard}
      />
      <Button type="text" size="small" icon={<IconLink />} aria-label={link} title={link} onClick={onCopy} />
      <Button type="text" size="small" icon={<IconDelete />} aria-label={remove} title={remove} onClick={onRemove} />
    </li>
  );
}
