import type { RefInputType } from '@arco-design/web-react/es/Input';
import { useRef, useState } from 'react';
import { Toasts, useDictionary, useService, useStore, useTranslation } from '#kernel';
import { isOpenable } from '#shared/text';
import { DecisionBar } from './DecisionBar.tsx';
import { ImageViewer } from './ImageViewer.tsx';
import { usualReasons, workbenchMessages } from './messages.ts';
import { PictureTools } from './PictureTools.tsx';
import { ProofPanel } from './ProofPanel.tsx';
import { asItIs, closer, further, turned, type View } from './picture-view.ts';
import { QueueHead } from './QueueHead.tsx';
import { QueueList } from './QueueList.tsx';
import { useKeys } from './use-keys.ts';
import styles from './Workbench.module.css';
import type { WorkbenchStore } from './workbench-store.ts';

interface ProofView {
  /** Id of the proof the view belongs to; another proof starts with the initial view. */
  readonly of: string | undefined;
  readonly place: number;
  readonly view: View;
}

/** Shows one proof at a time: its pictures, the submission beside the requirements, and the decision. */
export function Workbench({ store }: { readonly store: WorkbenchStore }) {
  const t = useTranslation();
  const toasts = useService(Toasts);
  const items = useStore(store, (state) => state.items);
  const at = useStore(store, (state) => state.at);
  const status = useStore(store, (state) => state.status);
  const count = useStore(store, (state) => state.chosen.length);
  const reasons = useReasons();
  const reasonField = useRef<RefInputType>(null);
  const [looked, setLooked] = useState<ProofView>({ of: undefined, place: 0, view: asItIs });
  const item = items.find(({ id }) => id === at);
  const images = item?.images ?? [];
  const { place, view } = looked.of === at ? looked : { place: 0, view: asItIs };
  const setView = (next: View) => setLooked({ of: at, place, view: next });
  const setPlace = (next: number) => images[next] && setLooked({ of: at, place: next, view: asItIs });
  const undo = async () => {
    if (await store.undo()) toasts.info(t(workbenchMessages.undone));
  };
  const keys: Readonly<Record<string, () => void>> = {
    a: () => void store.decide(1),
    s: () => store.skip(),
    u: () => void undo(),
    r: () => reasonField.current?.focus(),
    x: () => at && store.toggle(at),
    arrowdown: () => store.move(1),
    arrowup: () => store.move(-1),
    arrowright: () => setPlace(place + 1),
    arrowleft: () => setPlace(place - 1),
    '+': () => setView(closer(view)),
    '=': () => setView(closer(view)),
    '-': () => setView(further(view)),
    0: () => setView(asItIs),
    t: () => setView(turned(view)),
    o: () => item?.link && isOpenable(item.link) && window.open(item.link, '_blank', 'noopener,noreferrer'),
  };
  useKeys((key) => {
    const reason = /^[1-9]$/.test(key) ? reasons[Number(key) - 1] : undefined;
    if (reason) void store.decide(2, reason);
    else keys[key]?.();
    return reason !== undefined || key in keys;
  });

  return (
    <section className={styles.workbench} aria-busy={status === 'loading'} data-item={at}>
      <QueueHead store={store} onUndo={() => void undo()} />
      {item ? (
        <div className={styles.columns}>
          <QueueList store={store} />
          <div className={styles.pictures}>
            <ImageViewer images={images} place={place} view={view} onPlace={setPlace} onView={setView} />
            {images.length > 0 && <PictureTools view={view} onView={setView} />}
          </div>
          <div className={styles.side}>
            <h3 className={styles.title}>{item.taskTitle}</h3>
            <ProofPanel item={item} />
            <DecisionBar
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
        <div className={styles.vacancy}>
          <p>{t(status === 'loading' ? workbenchMessages.loading : workbenchMessages.empty)}</p>
          {status === 'ready' && <p className={styles.queueNote}>{t(workbenchMessages.emptyHint)}</p>}
        </div>
      )}
    </section>
  );
}

/** Returns the tenant's rejection reasons from its business dictionary, or the defaults. */
function useReasons(): readonly string[] {
  const t = useTranslation();
  const own = useDictionary('biz/task_reject');
  return own.length > 0 ? own.slice(0, 9).map(({ title }) => title) : usualReasons.map((words) => t(words));
}
