import { Button, Message } from '@arco-design/web-react';
import type { ToastAction, ToastKind } from '../../platform/feedback/toasts.ts';
import { adaptArco } from './arco-adapter.ts';

adaptArco();

/** Toasts shown this shortly before a page is left report the action that left it. */
const graceMs = 300;
const shown = new Map<() => void, number>();

/** Shows a toast; one with an action stays for eight seconds or until the action is selected. */
export function showMessage(kind: ToastKind, text: string, action?: ToastAction): void {
  const select = () => {
    close();
    action?.onClick();
  };
  const content = action ? (
    <>
      {text}
      <Button type="text" size="mini" onClick={select}>
        {action.title}
      </Button>
    </>
  ) : (
    text
  );
  positionToasts(shown.size + 1);
  const close: () => void = Message[kind]({ content, closable: true, onClose: () => shown.delete(close), ...(action ? { duration: 8000 } : {}) });
  shown.set(close, performance.now());
}

/** Closes the toasts of a page that was left. */
export function closeMessages(): void {
  for (const [close, at] of shown)
    if (performance.now() - at > graceMs) {
      shown.delete(close);
      close();
    }
}

/** Size of one toast with the gap below it; longer texts wrap. */
const [toastWidth, toastHeight, margin] = [420, 60, 24];
/** Elements that toasts must not cover. */
const avoidedElements =
  'input, textarea, select, [role=combobox], [contenteditable=true], h1, h2, h3, h4, [role=heading], [role=tab], label, .arco-modal-title, .arco-drawer-header-title';

/** Edges of the window at which the stack of toasts is shown, as in CSS. */
type Corner = readonly [vertical: 'top' | 'bottom', horizontal: 'left' | 'right' | 'center'];

const corners: readonly Corner[] = [
  ['bottom', 'left'],
  ['bottom', 'center'],
  ['bottom', 'right'],
  ['top', 'center'],
  ['top', 'right'],
];

/** Moves the stack of toasts to the corner of the page where it covers the fewest fields and titles. */
function positionToasts(count: number): void {
  const contentLeft = document.getElementById('main')?.getBoundingClientRect().left ?? 0;
  const width = Math.min(toastWidth, window.innerWidth - 2 * margin);
  const height = toastHeight * count + margin;
  const dialog = [...document.querySelectorAll('[role=dialog]')].findLast((one) => one.checkVisibility());
  const fields = [...(dialog ?? document).querySelectorAll(avoidedElements)].filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect());
  const overlaps = ([vertical, horizontal]: Corner) => {
    const left = { left: contentLeft + margin, center: (contentLeft + window.innerWidth - width) / 2, right: window.innerWidth - margin - width }[horizontal];
    const top = vertical === 'top' ? 0 : window.innerHeight - height;
    return fields.filter((field) => field.left < left + width && field.right > left && field.top < top + height && field.bottom > top).length;
  };
  const counts = corners.map(overlaps);
  const [vertical, horizontal] = corners[counts.indexOf(Math.min(...counts))] ?? (['bottom', 'left'] as const);
  Object.assign(document.body.dataset, { toasts: `${vertical}-${horizontal}` });
  document.body.style.setProperty('--toasts-start', `${contentLeft}px`);
}
