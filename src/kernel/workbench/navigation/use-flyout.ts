import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useAddress } from '../routes/use-address.ts';

interface Corner {
  readonly top: number;
  readonly left: number;
}

const width = 220;
const margin = 8;

/** Opens a list beside or below its button: it closes on Escape, on a click elsewhere, when the focus leaves and when a page is chosen; arrow keys move in it. */
export function useFlyout(side: 'beside' | 'below' | undefined) {
  const root = useRef<HTMLLIElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const { key } = useAddress();
  const [opened, setOpened] = useState<Corner & { readonly at: string }>();
  const isShown = side !== undefined && opened?.at === key;

  useEffect(() => {
    if (!isShown) return;
    const closeOutside = (event: Event) => root.current?.contains(event.target as Node) || setOpened(undefined);
    const close = () => setOpened(undefined);
    document.addEventListener('pointerdown', closeOutside);
    document.addEventListener('focusin', closeOutside);
    window.addEventListener('resize', close);
    return () => {
      document.removeEventListener('pointerdown', closeOutside);
      document.removeEventListener('focusin', closeOutside);
      window.removeEventListener('resize', close);
    };
  }, [isShown]);

  const toggle = () => setOpened(isShown || !side ? undefined : { ...cornerOf(button.current, side), at: key });
  const onKeyDown = (event: KeyboardEvent) => {
    if (!side) return;
    if (!isShown && event.key === (side === 'below' ? 'ArrowDown' : 'ArrowRight')) toggle();
    else if (!isShown) return;
    else if (event.key === 'Escape' || (event.key === 'ArrowLeft' && side === 'beside')) {
      setOpened(undefined);
      button.current?.focus();
    } else if (!step(event.key, root.current)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const corner = opened && { top: opened.top, left: opened.left };
  return { root, button, corner, isShown, toggle, onKeyDown };
}

function cornerOf(button: HTMLElement | null, side: 'beside' | 'below'): Corner {
  const box = button?.getBoundingClientRect() ?? { top: 0, bottom: 0, left: 0, right: 0 };
  if (side === 'below') return { top: box.bottom + 6, left: Math.max(margin, Math.min(box.left, window.innerWidth - width - margin)) };
  return { top: Math.max(margin, Math.min(box.top, window.innerHeight - 320)), left: box.right + margin };
}

/** Moves the focus within the flyout by a key; returns false for other keys. */
function step(key: string, root: HTMLElement | null): boolean {
  const items = [...(root?.querySelectorAll<HTMLElement>('ul :is(a, button)') ?? [])].filter((item) => !item.closest('[hidden]'));
  const at = items.indexOf(document.activeElement as HTMLElement);
  const target = { ArrowDown: (at + 1) % items.length, ArrowUp: (at - 1 + items.length) % items.length, Home: 0, End: items.length - 1 }[key];
  if (target === undefined) return false;
  items[target]?.focus();
  return true;
}
