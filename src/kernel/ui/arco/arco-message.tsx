import { Button, Message } from '@arco-design/web-react';
import type { ToastAction, ToastKind } from '../../platform/feedback/toasts.ts';
import { adaptArco } from './arco-adapter.ts';

adaptArco();

/** Toasts younger than this survive leaving the page, because they report the action that left it. */
const graceMs = 300;
const shownAtByClose = new Map<() => void, number>();

/** Shows a toast; one with an action stays for eight seconds or until the action is selected. */
export function showMessage(kind: ToastKind, text: string, action?: ToastAction): void {
  const runAction = () => {
    close();
    action?.onClick();
  };
  const content = action ? (
    <>
      {text}
      <Button type="text" size="mini" onClick={runAction}>
        {action.title}
      </Button>
    </>
  ) : (
    text
  );
  positionToasts(shownAtByClose.size + 1);
  const close: () => void = Message[kind]({ content, closable: true, onClose: () => shownAtByClose.delete(close), ...(action ? { duration: 8000 } : {}) });
  shownAtByClose.set(close, performance.now());
}

/** Closes the toasts of a page that was left. */
export function closeMessages(): void {
  for (const [close, shownAt] of shownAtByClose)
    if (performance.now() - shownAt > graceMs) {
      shownAtByClose.delete(close);
      close();
    }
}

/** Size of one toast with the gap below it; longer texts wrap. */
const [toastWidth, toastHeight, margin] = [420, 60, 24];
/** Elements that toasts must not cover. */
const avoidedElements =
  'input, textarea, select, [role=combobox], [contenteditable=true], h1, h2, h3, h4, [role=heading], [role=tab], label, .arco-modal-title, .arco-drawer-header-title';

/** Edges of the window at which the stack of toasts is shown, as in CSS. */
type ToastPosition = readonly [vertical: 'top' | 'bottom', horizontal: 'left' | 'right' | 'center'];

const positions: readonly ToastPosition[] = [
  ['bottom', 'left'],
  ['bottom', 'center'],
  ['bottom', 'right'],
  ['top', 'center'],
  ['top', 'right'],
];

/** Moves the stack of toasts to the position in the window where it covers the fewest fields and titles. */
function positionToasts(count: number): void {
  const contentLeft = document.getElementById('main')?.getBoundingClientRect().left ?? 0;
  const width = Math.min(toastWidth, window.innerWidth - 2 * margin);
  const height = toastHeight * count + margin;
  const dialog = [...document.querySelectorAll('[role=dialog]')].findLast((element) => element.checkVisibility());
  const avoided = [...(dialog ?? document).querySelectorAll(avoidedElements)]
    .filter((element) => element.checkVisibility())
    .map((element) => element.getBoundingClientRect());
  const overlaps = ([vertical, horizontal]: ToastPosition) => {
    const left = { left: contentLeft + margin, center: (contentLeft + window.innerWidth - width) / 2, right: window.innerWidth - margin - width }[horizontal];
    const top = vertical === 'top' ? 0 : window.innerHeight - height;
    return avoided.filter((box) => box.left < left + width && box.right > left && box.top < top + height && box.bottom > top).length;
  };
  const counts = positions.map(overlaps);
  const [vertical, horizontal] = positions[counts.indexOf(Math.min(...counts))] ?? (['bottom', 'left'] as const);
  Object.assign(document.body.dataset, { toasts: `${vertical}-${horizontal}` });
  document.body.style.setProperty('--toasts-start', `${contentLeft}px`);
}
