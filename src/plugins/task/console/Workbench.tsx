import { Button, Checkbox, Popover } from '@arco-design/web-react';
import type { RefInputType } from '@arco-design/web-react/es/Input';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { openAddress, PartialBatchReport, Toasts, useCan, useDictionary, useService, useStore, useTranslation } from '#kernel';
import { isOpenable, type LocalizedText } from '#shared/text';
import { auditRecords } from '../contract.ts';
import { recordMenu } from '../menus.ts';
import { DecisionBar } from './DecisionBar.tsx';
import { defaultView, type ImageView, ImageViewer, rotateRight, zoomIn, zoomOut } from './ImageViewer.tsx';
import { defaultReasons, shortcutHelp, workbenchMessages } from './messages.ts';
import { ProofPanel } from './ProofPanel.tsx';
import styles from './Workbench.module.css';
import type { WorkbenchStore } from './workbench-store.ts';

const maxCount = 10_000;

/** Shows the counts of the queue and a button to undo the last decision. */
function QueueHead({ store, onUndo }: { readonly store: WorkbenchStore; readonly onUndo: () => void }) {
  const t = useTranslation();
  const counts = useStore(store, (state) => state.counts);
  const decided = useStore(store, (state) => state.decided);
  const title = decided?.items[0]?.taskTitle ?? '';
  const message = decided?.status === 1 ? workbenchMessages.approved : workbenchMessages.rejected;
  return (
    <header className={styles.head}>
      <h2 className="visually-hidden">{t(workbenchMessages.heading)}</h2>
      {counts && (
        <p role="status" className={styles.counts}>
          <strong>{counts.pending > maxCount ? t(workbenchMessages.manyPending) : t(workbenchMessages.pending, { count: counts.pending })}</strong>
          <span>{t(workbenchMessages.leasedByOthers, { count: counts.held })}</span>
          <span>{t(workbenchMessages.today, { passed: counts.passedToday, rejected: counts.rejectedToday })}</span>
        </p>
      )}
      <span className={styles.last}>
        {decided && (decided.items.length > 1 ? t(workbenchMessages.decidedMany, { count: decided.items.length }) : t(message, { title }))}
      </span>
      <Button size="small" disabled={!decided} onClick={onUndo}>
        {t(workbenchMessages.undo)} <kbd>U</kbd>
      </Button>
      <Popover trigger="click" position="br" getPopupContainer={(button) => button.parentElement ?? document.body} content={<ShortcutList />}>
        <Button size="small" className={styles.shortcuts ?? ''}>
          {t(workbenchMessages.shortcuts)}
        </Button>
      </Popover>
    </header>
  );
}

function ShortcutList() {
  const t = useTranslation();
  return (
    <dl className={styles.keys}>
      {shortcutHelp.map(([keys, action]) => (
        <div key={keys}>
          <dt>
            <kbd>{keys}</kbd>
          </dt>
          <dd>{t(action)}</dd>
        </div>
      ))}
    </dl>
  );
}

const tools: readonly (readonly [key: string, title: LocalizedText, change: (view: ImageView) => ImageView])[] = [
  ['+', workbenchMessages.zoomIn, zoomIn],
  ['−', workbenchMessages.zoomOut, zoomOut],
  ['0', workbenchMessages.resetView, () => defaultView],
  ['T', workbenchMessages.rotate, rotateRight],
];

/** Toolbar for the picture that is shown. */
function PictureTools({ view, onView }: { readonly view: ImageView; readonly onView: (view: ImageView) => void }) {
  const t = useTranslation();
  return (
    <div className={styles.tools}>
      {tools.map(([key, title, change]) => (
        <Button key={key} size="small" onClick={() => onView(change(view))}>
          {t(title)} <kbd>{key}</kbd>
        </Button>
      ))}
    </div>
  );
}

const inputSelector = 'input:not([type=checkbox]), textarea, select, [contenteditable=true], [role=textbox], [role=combobox]';
const dialogSelector = '[role=dialog], .arco-modal';

/** Handles keys for a page while its tab is shown; ignored while typing, with a modifier, or while a dialog is open. */
function useShortcuts(onKey: (key: string) => boolean): void {
  const latest = useRef(onKey);
  latest.current = onKey;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const { target, key } = event;
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (target instanceof Element && (target.matches(inputSelector) || target.closest(dialogSelector))) return;
      if ([...document.querySelectorAll(dialogSelector)].some((one) => one.checkVisibility())) return;
      // A repeating key would decide submissions that the auditor has not seen.
      if (event.repeat && !/^Arrow|[+\-=]/.test(key)) return;
      if (latest.current(key.toLowerCase())) event.preventDefault();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

interface ProofView {
  /** Id of the proof the view belongs to; another proof starts with the initial view. */
  readonly itemId: string | undefined;
  readonly index: number;
  readonly view: ImageView;
}

/** Shows one proof at a time: its pictures, the submission beside the requirements, and the decision. */
export function Workbench({ store }: { readonly store: WorkbenchStore }) {
  const t = useTranslation();
  const toasts = useService(Toasts);
  const items = useStore(store, (state) => state.items);
  const currentId = useStore(store, (state) => state.currentId);
  const status = useStore(store, (state) => state.status);
  const count = useStore(store, (state) => state.selected.length);
  const partial = useStore(store, (state) => state.partial);
  const maySeeRecords = useCan(recordMenu.code);
  const section = useRef<HTMLElement>(null);
  const reasons = useReasons();
  const reasonField = useRef<RefInputType>(null);
  const [imageView, setImageView] = useState<ProofView>({ itemId: undefined, index: 0, view: defaultView });
  const item = items.find(({ id }) => id === currentId);
  const images = item?.images ?? [];
  const { index, view } = imageView.itemId === currentId ? imageView : { index: 0, view: defaultView };
  const setView = (next: ImageView) => setImageView({ itemId: currentId, index, view: next });
  const showImage = (next: number) => images[next] && setImageView({ itemId: currentId, index: next, view: defaultView });
  const undo = async () => {
    if (await store.undo()) toasts.info(t(workbenchMessages.undone));
  };
  const keys: Readonly<Record<string, () => void>> = {
    a: () => void store.decide(1),
    s: () => store.skip(),
    u: () => void undo(),
    r: () => reasonField.current?.focus(),
    x: () => currentId && store.toggle(currentId),
    arrowdown: () => store.move(1),
    arrowup: () => store.move(-1),
    arrowright: () => showImage(index + 1),
    arrowleft: () => showImage(index - 1),
    '+': () => setView(zoomIn(view)),
    '=': () => setView(zoomIn(view)),
    '-': () => setView(zoomOut(view)),
    0: () => setView(defaultView),
    t: () => setView(rotateRight(view)),
    o: () => item?.link && isOpenable(item.link) && openAddress(item.link),
  };
  useShortcuts((key) => {
    const reason = /^[1-9]$/.test(key) ? reasons[Number(key) - 1] : undefined;
    if (reason) void store.decide(2, reason);
    else keys[key]?.();
    return reason !== undefined || key in keys;
  });

  // The next proof starts at its top.
  const shownId = useRef(currentId);
  useEffect(() => {
    if (shownId.current !== undefined && shownId.current !== currentId) section.current?.scrollIntoView({ block: 'start' });
    shownId.current = currentId;
  }, [currentId]);

  return (
    <section ref={section} className={styles.workbench} aria-busy={status === 'loading'} data-item={currentId}>
      <QueueHead store={store} onUndo={() => void undo()} />
      {item ? (
        <div className={styles.columns}>
          <QueueList store={store} />
          <div className={styles.pictures}>
            <ImageViewer images={images} index={index} view={view} onIndex={showImage} onView={setView} />
            {images.length > 0 && <PictureTools view={view} onView={setView} />}
          </div>
          <div className={styles.side}>
            <h3 className={styles.title}>{item.taskTitle}</h3>
            <ProofPanel key={item.id} item={item} />
            <DecisionBar
              isReadOnly={store.isReadOnly}
              count={count}
              reasons={reasons}
              reasonField={reasonField}
              onApprove={() => void store.decide(1)}
              onReject={(reason) => void store.decide(2, reason)}
              onLater={() => store.skip()}
            />
          </div>
        </div>
      ) : (
        <div className={styles.emptyState}>
          <p>{t(status === 'loading' ? workbenchMessages.loading : workbenchMessages.empty)}</p>
          {status === 'ready' && <p className={styles.queueNote}>{t(workbenchMessages.emptyHint)}</p>}
          {status === 'ready' && maySeeRecords && <Link to={recordMenu.path}>{t(recordMenu.title)}</Link>}
        </div>
      )}
      {partial && (
        <PartialBatchReport
          result={partial}
          {...(maySeeRecords ? { crud: auditRecords } : {})}
          container={() => section.current ?? document.body}
          onSelect={(ids) => store.selectItems(items.filter(({ id }) => ids.includes(id)).map(({ id }) => id))}
          onClose={() => store.dismissPartial()}
        />
      )}
    </section>
  );
}

/** Returns the tenant's rejection reasons from its business dictionary, or the defaults. */
function useReasons(): readonly string[] {
  const t = useTranslation();
  const entries = useDictionary('biz/task_reject').filter(({ isArchived }) => !isArchived);
  return entries.length > 0 ? entries.slice(0, 9).map(({ title }) => title) : defaultReasons.map((text) => t(text));
}

/** Lists the proofs the auditor has leased; one is shown, and several can be selected and decided together. */
function QueueList({ store }: { readonly store: WorkbenchStore }) {
  const t = useTranslation();
  const items = useStore(store, (state) => state.items);
  const currentId = useStore(store, (state) => state.currentId);
  const selected = useStore(store, (state) => state.selected);
  const isAll = items.length > 0 && selected.length === items.length;
  return (
    <nav className={styles.queue} aria-label={t(workbenchMessages.queue)}>
      <Checkbox checked={isAll} indeterminate={selected.length > 0 && !isAll} onChange={(all) => store.selectItems(all ? items.map(({ id }) => id) : [])}>
        {t(workbenchMessages.selectAll)}
      </Checkbox>
      <ul>
        {items.map(({ id, taskTitle, nickName, submitTime, twins }) => (
          <li key={id} data-current={id === currentId}>
            <Checkbox
              checked={selected.includes(id)}
              aria-label={t(workbenchMessages.select, { title: `${taskTitle} ${nickName}` })}
              onChange={() => store.toggle(id)}
            />
            <button type="button" className={styles.queueItem} aria-current={id === currentId} onClick={() => store.show(id)}>
              <span className={styles.queueTitle}>{taskTitle}</span>
              <span className={styles.queueNote}>
                {nickName} · {submitTime?.slice(5, 16)}
              </span>
              {twins.length > 0 && <span className={styles.duplicateMark}>{t(workbenchMessages.duplicates)}</span>}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}
