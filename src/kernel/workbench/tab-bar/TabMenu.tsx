import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { listenOutside } from '../../ui/menus/flyout.ts';
import { MenuList } from '../../ui/menus/MenuList.tsx';
import type { Tab } from '../tabs/tabs.ts';
import styles from './TabMenu.module.css';
import { useTabChoices } from './tab-choices.ts';

interface TabMenuProps {
  readonly tab: Tab;
  /** Position of the click or of the tab, in window coordinates. */
  readonly at: { readonly x: number; readonly y: number };
  /** Called after a selection or Escape; the focus returns to the tab. */
  readonly onDone: () => void;
  /** Called when the operator clicks or moves the focus elsewhere. */
  readonly onLeave: () => void;
}

/** Renders the menu of one tab at the pointer or at the tab. */
export function TabMenu({ tab, at, onDone, onLeave }: TabMenuProps) {
  const t = useTranslation();
  const choices = useTabChoices()(tab);
  const box = useRef<HTMLDivElement>(null);
  const [position, setPosition] = useState(at);

  useLayoutEffect(() => {
    const { width = 0, height = 0 } = box.current?.getBoundingClientRect() ?? {};
    setPosition({ x: clampToWindow(at.x, window.innerWidth - width), y: clampToWindow(at.y, window.innerHeight - height) });
  }, [at]);

  useEffect(() => {
    const stopListening = listenOutside(box.current, ['pointerdown', 'wheel'], onLeave);
    window.addEventListener('resize', onLeave);
    const menu = box.current;
    menu?.addEventListener('contextmenu', preventDefault);
    return () => {
      stopListening();
      window.removeEventListener('resize', onLeave);
      menu?.removeEventListener('contextmenu', preventDefault);
    };
  }, [onLeave]);

  return (
    <div ref={box} className={styles.menu} style={{ left: position.x, top: position.y }}>
      <MenuList label={t('tabs.menu', { title: tab.title })} choices={choices} onDone={onDone} onLeave={onLeave} />
    </div>
  );
}

const margin = 8;
const clampToWindow = (offset: number, available: number) => Math.max(margin, Math.min(offset, available - margin));

/** Suppresses the browser's context menu on this menu. */
const preventDefault = (event: Event) => event.preventDefault();
