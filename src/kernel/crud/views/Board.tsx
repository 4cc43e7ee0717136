import { Button } from '@arco-design/web-react';
import { type DragEvent, type KeyboardEvent, useState } from 'react';
import { firstValueFrom } from 'rxjs';
import type { InputOf, Page } from '#shared/contract';
import { useService } from '../../base/react/services.tsx';
import { useStore } from '../../base/react/use-store.ts';
import { Toasts } from '../../platform/feedback/toasts.ts';
import { Http } from '../../platform/http/http.ts';
import { observeRequest } from '../../platform/http/observe-request.ts';
import { useQuery } from '../../platform/http/use-query.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { MenuButton } from '../../ui/menus/MenuButton.tsx';
import { Icon } from '../../ui/primitives/Icon.tsx';
import { Cell } from '../cells/Cell.tsx';
import { Tag } from '../cells/Tag.tsx';
import type { CrudCalls, Row } from '../model/crud-screen.ts';
import type { CrudStore } from '../model/crud-store.ts';
import { formFields, rowName, type ScreenField } from '../model/entity-fields.ts';
import { listInput } from '../model/list-query.ts';
import { shownColumns } from '../model/table-settings.ts';
import type { RowButton } from '../table/columns/row-actions.tsx';
import type { LayoutProps } from './LayoutView.tsx';
import { groupFilter, useGroups, useLoadCount, type ValueGroup } from './use-groups.ts';
import { viewMessages } from './view-messages.ts';

const pageSize = 20;
const maxCards = 200;
/** Number of fields on a card besides its title. */
const maxFields = 3;

/** Shows rows as cards in a column for each value of a field; moving a card changes the value. */
export default function Board(props: LayoutProps) {
  const { store, crud, by, buttons, caption } = props;
  const t = useTranslation();
  const { groups, limit, isPending, error, refetch } = useGroups(store, crud, by, true);
  const move = useCardMove({ store, crud, by, buttons });
  const [dragged, setDragged] = useState<Row>();
  if (error && isPending)
    return (
      <div className="crud-vacancy" role="alert">
        <p className="crud-vacancy__title">{t(viewMessages.failed)}</p>
        <p>{error.message}</p>
        <Button onClick={refetch}>{t(viewMessages.retry)}</Button>
      </div>
    );
  return (
    <>
      {limit && <p className="views__note">{limit}</p>}
      <section className="board" aria-label={caption} aria-busy={isPending} onKeyDown={moveFocus}>
        {groups.map((group) => (
          <BoardColumn key={group.key} {...props} group={group} groups={groups} dragged={dragged} onDrag={setDragged} onMove={move} />
        ))}
      </section>
    </>
  );
}

interface BoardColumnProps extends LayoutProps {
  readonly group: ValueGroup;
  readonly groups: readonly ValueGroup[];
  readonly dragged: Row | undefined;
  readonly onDrag: (row: Row | undefined) => void;
  readonly onMove: (row: Row, to: ValueGroup) => Promise<void>;
}

/** Loads the cards of one column, a page at a time; an empty column requests nothing. */
function BoardColumn({ group, ...props }: BoardColumnProps) {
  const { store, crud, by, dragged, onDrag, onMove } = props;
  const t = useTranslation();
  const [size, setSize] = useState(pageSize);
  const [isDragOver, setIsDragOver] = useState(false);
  const query = useStore(store, (state) => state.query);
  const refetchKey = useLoadCount(store);
  const { ascs, descs } = listInput(crud, query) as { ascs?: string; descs?: string };
  const order = { ...(ascs ? { ascs } : {}), ...(descs ? { descs } : {}) };
  const input = { ...store.filterInput(), ...order, ...groupFilter(by, group), current: 1, size };
  const { data, isFetching } = useQuery(crud.list, input, { enabled: group.count > 0, quiet: true, keepPreviousData: true, refetchKey });
  const rows = group.count > 0 ? ((data as Page<Row> | undefined)?.records ?? []) : [];
  const remaining = Math.min(group.count, maxCards) - rows.length;
  const onDragOver = (event: DragEvent) => {
    if (!dragged) return;
    event.preventDefault();
    setIsDragOver(true);
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setIsDragOver(false);
    onDrag(undefined);
    if (dragged) void onMove(dragged, group);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: cards are dropped here by pointer; the keyboard moves them by their menu
    <div
      className={isDragOver ? 'board__column board__column_over' : 'board__column'}
      onDragOver={onDragOver}
      onDragLeave={() => setIsDragOver(false)}
      onDrop={onDrop}
    >
      <h2 className="board__title">
        <Tag tone={group.tone}>{group.title}</Tag>
        <span className="board__count">{group.count}</span>
      </h2>
      <ul className="board__cards" aria-busy={isFetching}>
        {rows.map((row) => (
          <BoardCard key={row.id} {...props} group={group} row={row} />
        ))}
      </ul>
      {group.count === 0 && <p className="board__empty">{t(viewMessages.empty)}</p>}
      {rows.length > 0 && remaining > 0 && (
        <Button size="small" type="text" loading={isFetching} onClick={() => setSize(Math.min(maxCards, size + pageSize))}>
          {t(viewMessages.more, { count: remaining })}
        </Button>
      )}
      {rows.length >= maxCards && group.count > maxCards && <p className="board__empty">{t(viewMessages.limitedCards, { count: maxCards })}</p>}
    </div>
  );
}

function BoardCard({ row, group, groups, buttons, crud, fields, settings, by, format, onDrag, onMove }: BoardColumnProps & { readonly row: Row }) {
  const t = useTranslation();
  const name = rowName(crud.entity, row, t) ?? row.id;
  const view = buttons.find(({ key }) => key === 'view');
  const choices = groups
    .filter((other) => other !== group && other.value !== null)
    .map((other) => ({ key: other.key, label: t(viewMessages.moveTo, { title: other.title }), onSelect: () => void onMove(row, other) }));
  const shown = shownColumns(settings)
    .flatMap((column) => (fields as readonly ScreenField[]).find((field) => field.name === column.name) ?? [])
    .filter((field) => field.name !== by.name && row[field.name] !== name && row[field.name] !== null && row[field.name] !== undefined);
  return (
    <li className="board__card" draggable onDragStart={() => onDrag(row)} onDragEnd={() => onDrag(undefined)}>
      <span className="board__line">
        {view ? (
          <button type="button" className="board__name" onClick={() => view.onClick(row)}>
            {name}
          </button>
        ) : (
          <span className="board__name">{name}</span>
        )}
        <MenuButton label={t(viewMessages.move, { name })} choices={choices}>
          <Icon name="more" size={16} />
        </MenuButton>
      </span>
      <dl className="board__fields">
        {shown.slice(0, maxFields).map((field) => (
          <div key={field.name}>
            <dt>{t(field.traits.title)}</dt>
            <dd>
              <Cell field={field} row={row} format={format} />
            </dd>
          </div>
        ))}
      </dl>
    </li>
  );
}

/** Moves the focus between cards by arrow keys: up and down within a column, left and right to the nearest column with cards. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const card = (event.target as Element).closest('.board__card');
  const column = card?.closest('.board__column');
  if (!card || !column || (event.target as Element).closest('[role=menu]')) return;
  const siblings = [...column.querySelectorAll('.board__card')];
  const columns = [...event.currentTarget.querySelectorAll('.board__column')].filter((candidate) => candidate.querySelector('.board__card'));
  const index = siblings.indexOf(card);
  const inNeighbour = (step: number) => {
    const cards = columns[columns.indexOf(column) + step]?.querySelectorAll('.board__card');
    return cards?.[Math.min(index, cards.length - 1)];
  };
  const target = { ArrowUp: siblings[index - 1], ArrowDown: siblings[index + 1], ArrowLeft: inNeighbour(-1), ArrowRight: inNeighbour(1) }[event.key];
  if (!target) return;
  event.preventDefault();
  target.querySelector<HTMLElement>('button')?.focus();
}

interface CardMoveDeps {
  readonly store: CrudStore;
  readonly crud: CrudCalls;
  readonly by: ScreenField;
  readonly buttons: readonly RowButton[];
}

/**
 * Returns a function that moves a row to another group: by the action of the row that leads there, otherwise by an ordinary edit of the field. The server decides; a card whose
 * move is refused stays where it is, and the reason is shown.
 */
function useCardMove({ store, crud, by, buttons }: CardMoveDeps): (row: Row, to: ValueGroup) => Promise<void> {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const t = useTranslation();
  return async (row, to) => {
    if (String(row[by.name] ?? '') === to.key) return;
    const isOffered = (button: RowButton | undefined) => button !== undefined && (button.isOffered?.(row) ?? true);
    const action = buttons.find(({ moves }) => moves && by.name in moves && String(moves[by.name]) === to.key);
    if (action && isOffered(action)) return void action.onClick(row);
    const isEditable = formFields(crud.entity).some(({ name }) => name === by.name) && isOffered(buttons.find(({ key }) => key === 'edit'));
    if (!isEditable || !crud.submit || action) {
      const values = { name: rowName(crud.entity, row, t) ?? row.id, title: to.title };
      return void toasts.warning(t(viewMessages.cannotMove, values));
    }
    const version = row.version === undefined ? {} : { version: row.version };
    const input = { id: row.id, ...version, [by.name]: isBoolean(by) ? to.value === 'true' : to.value } as InputOf<NonNullable<CrudCalls['submit']>>;
    const answer = await firstValueFrom(observeRequest(http, crud.submit, input));
    if ('localizedMessage' in answer) toasts.error(t(answer.localizedMessage));
    if (answer.success) toasts.success(t(viewMessages.moved, { title: to.title }));
    store.reload();
  };
}

const isBoolean = ({ schema }: ScreenField) => (schema as { type?: unknown }).type === 'boolean';
