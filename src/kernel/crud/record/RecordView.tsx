import { type ReactNode, type RefObject, Suspense, useEffect, useLayoutEffect, useRef } from 'react';
import { codes } from '#shared/contract';
import { maxRelatedCount, type RelatedList, relatedLists } from '#shared/record-uses';
import { useStore } from '../../base/react/use-store.ts';
import { useQuery } from '../../platform/http/use-query.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { useGrants } from '../../platform/permission/use-can.tsx';
import { lazyComponent } from '../../ui/loading/lazy-component.tsx';
import type { PageAddress } from '../../ui/pane/page-address.ts';
import { useAddressText } from '../../ui/pane/use-address-parameter.ts';
import { useTabTitle } from '../../ui/pane/use-tab-title.ts';
import FieldList from '../cells/FieldList.tsx';
import { FormFrame, useRecordTitle } from '../form/FormFrame.tsx';
import { historyMessages } from '../history/history-messages.ts';
import type { CrudPageProps, Row } from '../model/crud-screen.ts';
import type { CrudStore } from '../model/crud-store.ts';
import { isEditable, namingField, rowName, viewFields } from '../model/entity-fields.ts';
import type { FormatField, ParentTrees } from '../model/parent-trees.ts';
import { useReferenceLabels } from '../references/reference-titles.ts';
import type { RowButton } from '../table/columns/row-actions.tsx';
import { RecordHeader } from './RecordHeader.tsx';
import type { FindRow } from './RecordPager.tsx';
import { type RecordPart, RecordTabs } from './RecordTabs.tsx';
import { recordMessages } from './record-messages.ts';
import { type RecordPlace, useRecordLinks, useRecordPlace } from './record-place.ts';
import './record.css';
import { ProblemView } from '../../ui/errors/ProblemView.tsx';

const RecordHistory = lazyComponent(() => import('../history/RecordHistory.tsx'));
const RelatedRows = lazyComponent(() => import('./RelatedRows.tsx'));

interface RecordViewProps extends Pick<CrudPageProps, 'crud' | 'fields' | 'noun' | 'columns' | 'actions' | 'parents' | 'formWidth'> {
  readonly row: Row;
  readonly place: RecordPlace;
  readonly address: PageAddress | undefined;
  readonly page: RefObject<HTMLElement | null>;
  readonly store: CrudStore;
  /** Buttons of the row in the list. */
  readonly buttons: readonly RowButton[];
  /** Renders what plugins add below the heading. */
  readonly summary?: ((row: Row) => ReactNode) | undefined;
  readonly onNavigate: (row: Row) => void;
  readonly trees: ParentTrees;
  readonly format: FormatField;
  readonly container: () => Element;
  /** Runs once earlier values of the row have been restored. */
  readonly onChanged: () => void;
  readonly onClose: () => void;
  /** Called when a record beside its list, of which only the id is known, cannot be loaded. */
  readonly onMissing: () => void;
}

/** Shows one record with its details, the lists that refer to it and its history, on a page of its own or beside its list. */
export default function RecordView(props: RecordViewProps) {
  const { crud, row, fields, noun, place, store, buttons, onNavigate, onClose } = props;
  const t = useTranslation();
  const titleOf = useRecordTitle({ crud, ...(fields ? { fields } : {}), ...(noun ? { noun } : {}) });
  const record = useRecord(props);
  const { shown } = record;
  const [, setPlace] = useRecordPlace();
  const links = useRecordLinks(props.address);
  const reference = useReferenceName(props, shown);
  const name = (shown && rowName(crud.entity, shown, t, fields)) ?? [noun ? t(noun) : '', reference ?? row.id].join(' ').trim();
  useTabTitle(place === 'page' && shown ? [name, name] : undefined);
  const navigate = async (find: FindRow) => {
    const found = await find();
    if (found) onNavigate(found);
  };
  const openAt = (next: 'page' | 'beside') => {
    setPlace(next);
    if (next === 'page') onClose();
    links[next === 'page' ? 'openPage' : 'openBeside'](row.id);
  };
  const problem = record.problem && <RecordProblem problem={record.problem} onRetry={record.refetch} onList={links.openList} />;
  const content = shown && (
    <>
      <RecordHeader {...props} row={shown} name={name} buttons={buttons} store={store} links={links} onNavigate={navigate} onPlace={openAt} />
      {props.summary?.(shown)}
      <RecordParts {...props} row={shown} isReloading={record.isReloading} onReload={record.refetch} />
    </>
  );
  if (!content && place !== 'page') return null;
  const label = titleOf('view', shown);
  if (place === 'drawer')
    return (
      <FormFrame container={props.container} presentation="drawer" formWidth={Math.max(props.formWidth ?? 0, 720)} title={label} onClose={onClose}>
        <div className="record">{content}</div>
      </FormFrame>
    );
  return (
    <RecordFrame place={place} label={label} isBusy={record.isReloading}>
      {problem ?? content ?? <p className="record__note">{t(recordMessages.loading)}</p>}
    </RecordFrame>
  );
}

/** Returns the title of the row that a record refers to, if this names it. */
function useReferenceName({ crud, fields }: RecordViewProps, row: Row | undefined): string | undefined {
  const field = namingField(crud.entity, fields);
  const source = field?.traits.reference;
  const value = source && row ? String(row[field.name] ?? '') : '';
  const { status, text } = useReferenceLabels(source, [value])(value);
  return status === 'ready' ? text : undefined;
}

/** Loads a record, again whenever its list has been loaded again, and closes it once it is gone from beside its list. */
function useRecord({ crud, row, place, store, onMissing, onClose }: RecordViewProps) {
  const may = useGrants();
  const mayView = crud.detail !== undefined && may(codes(crud.menu).view);
  const isLinked = Object.keys(row).length === 1;
  const { data, error, isFetching, refetch } = useQuery(crud.detail ?? crud.list, { id: row.id }, { enabled: mayView, quiet: true });
  const rows = useStore(store, (state) => state.rows);
  const seen = useRef(rows);
  useEffect(() => {
    if (seen.current !== rows && data !== undefined) refetch();
    seen.current = rows;
  }, [rows, data, refetch]);

  const isGone = error !== undefined && 'code' in error && error.code === 404;
  const isUnknown = isLinked && data === undefined && error !== undefined;
  useEffect(() => {
    if (place === 'page') return;
    if (isUnknown) onMissing();
    else if (isGone) onClose();
  }, [place, isUnknown, isGone, onMissing, onClose]);

  const problem: 'missing' | 'failed' | undefined =
    place !== 'page' ? undefined : !mayView || isGone || (error && 'code' in error && error.code === 403) ? 'missing' : isUnknown ? 'failed' : undefined;
  const shown: Row | undefined = isLinked && data === undefined ? undefined : { ...row, ...(data as Row | undefined) };
  return { shown, problem, isReloading: isFetching, refetch };
}

interface RecordPartsProps extends RecordViewProps {
  readonly isReloading: boolean;
  readonly onReload: () => void;
}

const none: readonly RelatedList[] = [];
/** Milliseconds for which a record must be shown before its related lists are requested, so that paging through records sends fewer requests. */
const relatedAfterMs = 150;

function RecordParts({ crud, row, fields, columns = {}, actions = {}, parents = {}, trees, format, isReloading, onReload, ...frame }: RecordPartsProps) {
  const t = useTranslation();
  const may = useGrants();
  const [part, setPart] = useAddressText('part', { change: 'replace' });
  const { data: related = none } = useQuery(
    relatedLists,
    { entity: crud.entity.name, id: row.id },
    { quiet: true, keepPreviousData: true, debounceMs: relatedAfterMs },
  );
  const shownFields = viewFields(crud.entity, fields);
  useEffect(() => {
    for (const { name } of shownFields) if (parents[name]) trees.load(name, parents[name]);
  });
  const parts: RecordPart[] = [
    { key: '', title: t(recordMessages.details) },
    ...related.map((relation) => ({ key: keyOf(relation), title: t(relation.title), count: countText(relation.count) })),
    ...(crud.history ? [{ key: 'history', title: t(historyMessages.entries) }] : []),
  ];
  const current = parts.some(({ key }) => key === part) ? part : '';
  const relation = related.find((candidate) => keyOf(candidate) === current);
  const mayEdit = crud.submit !== undefined && may(codes(crud.menu).edit) && isEditable(crud.entity, actions, row);
  return (
    <RecordTabs label={t(recordMessages.parts)} parts={parts} current={current} onChange={setPart}>
      {current === '' && <FieldList fields={shownFields} row={row} format={format} columns={columns} />}
      <Suspense>
        {relation && <RelatedRows key={`${current} ${relation.value}`} relation={relation} />}
        {current === 'history' && crud.history && (
          <RecordHistory
            crud={crud}
            call={crud.history}
            row={row}
            mayEdit={mayEdit}
            format={format}
            container={frame.container}
            isReloading={isReloading}
            onReload={onReload}
            onRestored={() => {
              onReload();
              frame.onChanged();
            }}
          />
        )}
      </Suspense>
    </RecordTabs>
  );
}

const keyOf = ({ menu, field }: RelatedList) => `${menu}.${field}`;

const countText = (count: number) => (count < maxRelatedCount ? String(count) : `${maxRelatedCount - 1}+`);

interface RecordFrameProps {
  readonly place: Exclude<RecordPlace, 'drawer'>;
  /** Accessible name. */
  readonly label: string;
  readonly isBusy: boolean;
  readonly children: ReactNode;
}

/** Frames a record: a panel beside the list, which stays usable, or the whole page. */
function RecordFrame({ place, label, isBusy, children }: RecordFrameProps) {
  const frame = useRef<HTMLElement>(null);
  useLayoutEffect(() => (place === 'page' && frame.current ? hideOthers(frame.current) : undefined), [place]);
  return place === 'page' ? (
    <section ref={frame} className="record record_page" aria-label={label} aria-busy={isBusy}>
      {children}
    </section>
  ) : (
    <aside className="record record_beside">
      <section ref={frame} className="record__sheet" role="dialog" aria-label={label} aria-busy={isBusy}>
        {children}
      </section>
    </aside>
  );
}

/** Hides what the page shows around its list, such as a tree, while the tab shows one record. Returns a function that shows it again. */
function hideOthers(frame: HTMLElement): () => void {
  const marked: Element[] = [];
  const mark = (element: Element, value: string) => {
    element.setAttribute('data-record', value);
    marked.push(element);
  };
  const pane = frame.closest('[data-pane]');
  for (let inner: Element | null = pane && frame.closest('.crud'); inner && inner !== pane; inner = inner.parentElement) {
    for (const other of inner.parentElement?.children ?? []) if (other !== inner && !other.matches('.visually-hidden')) mark(other, 'beside');
    if (inner.parentElement && inner.parentElement !== pane) mark(inner.parentElement, 'around');
  }
  return () => {
    for (const element of marked) element.removeAttribute('data-record');
  };
}

interface RecordProblemProps {
  readonly problem: 'missing' | 'failed';
  readonly onRetry: () => void;
  readonly onList: () => void;
}

/** Replaces a record that does not exist, that this user may not view, or that could not be loaded, and leads back to the list. */
function RecordProblem({ problem, onRetry, onList }: RecordProblemProps) {
  const t = useTranslation();
  const back = { label: t(recordMessages.back), onAction: onList };
  return problem === 'missing' ? (
    <ProblemView scene="search" title={t(recordMessages.missingTitle)} explanation={t(recordMessages.missingHint)} actions={[back]} />
  ) : (
    <ProblemView scene="offline" title={t(recordMessages.failedTitle)} explanation="" actions={[{ label: t(recordMessages.retry), onAction: onRetry }, back]} />
  );
}
