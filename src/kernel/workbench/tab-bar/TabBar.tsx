import { type KeyboardEvent, type MouseEvent, type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useAfterPaint } from '../../base/react/after-paint.ts';
import { useService } from '../../base/react/services.tsx';
import { useStore } from '../../base/react/use-store.ts';
import { useStream } from '../../base/react/use-stream.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { listenOutside } from '../../ui/menus/flyout.ts';
import { MenuButton, type MenuChoice } from '../../ui/menus/MenuButton.tsx';
import { MenuList } from '../../ui/menus/MenuList.tsx';
import { Icon } from '../../ui/primitives/Icon.tsx';
import { useClearCache } from '../actions/clear-cache.ts';
import { Preferences } from '../state/preferences.ts';
import { tabDetails, tabId } from '../tabs/tab-details.ts';
import { TabStore } from '../tabs/tab-store.ts';
import type { Tab } from '../tabs/tabs.ts';
import styles from './TabBar.module.css';
import { TabItem } from './TabItem.tsx';
import { TabListButton } from './TabListButton.tsx';
import menuStyles from './TabMenu.module.css';
import { useTabChoices } from './tab-choices.ts';
import { useTabFocus, useTabShortcuts } from './tab-keyboard.ts';
import { useTabDrag } from './use-tab-drag.ts';

/** Renders the actions of the current tab's menu as buttons, and the settings of tabs. */
function TabActions({ current }: { readonly current: Tab | undefined }) {
  const t = useTranslation();
  const store = useService(TabStore);
  const preferences = useService(Preferences);
  const { restoreTabs, homeTabClosable } = useStore(preferences, identity);
  const clearCache = useClearCache();
  const choicesOf = useTabChoices();
  // The current page may have no tab while other tabs are open.
  const closeAll: MenuChoice = { key: 'closeAll', label: t('tabs.closeAll'), onSelect: () => void store.closeAll() };
  const settings: MenuChoice[] = [
    {
      key: 'restore',
      label: t('tabs.restore'),
      startsGroup: true,
      isSelected: restoreTabs,
      onSelect: () => preferences.change({ restoreTabs: !restoreTabs }),
    },
    {
      key: 'home',
      label: t('tabs.homeClosable'),
      isSelected: homeTabClosable,
      onSelect: () => preferences.change({ homeTabClosable: !homeTabClosable }),
    },
    { key: 'clear', label: t('tabs.clearCache'), icon: 'clean', startsGroup: true, onSelect: clearCache },
  ];
  return (
    <MenuButton label={t('tabs.actions')} choices={[...(current ? choicesOf(current) : [closeAll]), ...settings]}>
      <Icon name="more" />
    </MenuButton>
  );
}

const identity = <State,>(state: State) => state;

/** Directions in which a row has hidden content, and a function that scrolls it. */
interface Overflow {
  readonly before: boolean;
  readonly after: boolean;
  readonly scroll: (direction: -1 | 1) => void;
}

const noOverflow = { before: false, after: false };

/** Watches whether content of a row is hidden on either side. `count` is the number of its elements. */
function useOverflow(row: RefObject<HTMLElement | null>, count: number): Overflow {
  const [hidden, setHidden] = useState(noOverflow);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the content fires no event on the row.
  useEffect(() => {
    const element = row.current;
    if (!element) return;
    const updateOverflow = () => setHidden((previous) => overflowOf(previous, element));
    const resizeObserver = new ResizeObserver(updateOverflow);
    resizeObserver.observe(element);
    element.addEventListener('scroll', updateOverflow, { passive: true });
    updateOverflow();
    return () => {
      resizeObserver.disconnect();
      element.removeEventListener('scroll', updateOverflow);
    };
  }, [row, count]);

  const scroll = (direction: -1 | 1) => {
    const behavior = window.matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth';
    row.current?.scrollBy({ left: direction * row.current.clientWidth * 0.6, behavior });
  };
  return { ...hidden, scroll };
}

function overflowOf(previous: typeof noOverflow, { scrollLeft, scrollWidth, clientWidth }: HTMLElement): typeof noOverflow {
  const [before, after] = [scrollLeft > 1, scrollLeft < scrollWidth - clientWidth - 1];
  return previous.before === before && previous.after === after ? previous : { before, after };
}

interface OpenMenu {
  readonly key: string;
  readonly at: { readonly x: number; readonly y: number };
}

/** Renders the open pages as tabs: arrow keys move between them, Alt+Shift and arrow keys move one, Delete closes one, Shift+F10 or a right click opens its menu. */
export default function TabBar() {
  const t = useTranslation();
  const store = useService(TabStore);
  const tabs = useStream(store.tabs$, []);
  const active = useStream(store.active$, undefined);
  const list = useRef<HTMLDivElement>(null);
  const [menu, setMenu] = useState<OpenMenu>();
  const closeMenu = useCallback(() => setMenu(undefined), []);
  const overflow = useOverflow(list, tabs.length);
  const isCrowded = overflow.before || overflow.after;
  const drag = useTabDrag(list);
  const focus = useTabFocus(list, { tabs, active, isCrowded });
  // A change of the selected tab forces a layout, so it waits until after paint.
  const paintedActive = useAfterPaint(active);
  useTabShortcuts();

  const detailOf = tabDetails(tabs);
  const focusable = tabs.some(({ key }) => key === paintedActive) ? paintedActive : tabs[0]?.key;
  const menuTab = tabs.find(({ key }) => key === menu?.key);

  const show = (tab: Tab | undefined) => {
    if (!tab) return;
    store.open(tab);
    focus(tab.key);
  };
  const onKeyDown = (tab: Tab, index: number) => (event: KeyboardEvent) => {
    const isMove = event.altKey && event.shiftKey;
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const end = { Home: 0, End: tabs.length - 1 }[event.key];
    if (isMove && step) store.move(tab.key, index + step);
    else if (event.altKey || event.ctrlKey || event.metaKey) return;
    else if (step) show(tabs[(index + step + tabs.length) % tabs.length]);
    else if (end !== undefined) show(tabs[end]);
    else if (event.key === 'Delete') store.close(tab.key);
    else if (event.key === 'ContextMenu' || (event.shiftKey && event.key === 'F10')) setMenu({ key: tab.key, at: below(tab.key) });
    else if (event.key === 'Enter' || event.key === ' ') store.open(tab);
    else return;
    event.preventDefault();
  };
  const onContextMenu = (tab: Tab) => (event: MouseEvent) => {
    event.preventDefault();
    setMenu({ key: tab.key, at: { x: event.clientX, y: event.clientY } });
  };

  return (
    <section className={styles.bar} aria-label={t('tabs.label')}>
      {isCrowded && <ScrollButton direction={-1} isDisabled={!overflow.before} onScroll={overflow.scroll} />}
      <div
        ref={list}
        role="tablist"
        aria-label={t('tabs.label')}
        className={styles.list}
        onWheel={({ currentTarget, deltaX, deltaY }) => Math.abs(deltaY) > Math.abs(deltaX) && currentTarget.scrollBy({ left: deltaY })}
      >
        {tabs.map((tab, index) => (
          <TabItem
            key={tab.key}
            tab={tab}
            detail={detailOf(tab)}
            isActive={tab.key === active}
            isFocusable={tab.key === focusable}
            isDragged={tab.key === drag.dragged}
            onShow={() => store.open(tab)}
            onClose={() => store.close(tab.key)}
            onKeyDown={onKeyDown(tab, index)}
            onPointerDown={(event) => drag.onPointerDown(tab.key, event)}
            onContextMenu={onContextMenu(tab)}
          />
        ))}
      </div>
      {isCrowded && <ScrollButton direction={1} isDisabled={!overflow.after} onScroll={overflow.scroll} />}
      <TabListButton tabs={tabs} activeKey={active} />
      <TabActions current={tabs.find(({ key }) => key === active)} />
      <MoveAnnouncer />
      {menu && menuTab && (
        <TabMenu
          tab={menuTab}
          at={menu.at}
          onLeave={closeMenu}
          onDone={() => {
            focus(menu.key);
            closeMenu();
          }}
        />
      )}
    </section>
  );
}

function below(key: string): OpenMenu['at'] {
  const { left = 0, bottom = 0 } = document.getElementById(tabId(key))?.getBoundingClientRect() ?? {};
  return { x: left, y: bottom + 4 };
}

interface ScrollButtonProps {
  readonly direction: -1 | 1;
  readonly isDisabled: boolean;
  readonly onScroll: (direction: -1 | 1) => void;
}

/** Scrolls the tabs by pointer; arrow keys need no button, because they scroll the focused tab into view. */
function ScrollButton({ direction, isDisabled, onScroll }: ScrollButtonProps) {
  return (
    <button type="button" tabIndex={-1} aria-hidden="true" className={styles.scroll} disabled={isDisabled} onClick={() => onScroll(direction)}>
      <Icon name={direction < 0 ? 'chevronLeft' : 'chevronRight'} size={16} />
    </button>
  );
}

/** Announces the new position of a moved tab to screen readers. */
function MoveAnnouncer() {
  const t = useTranslation();
  const store = useService(TabStore);
  const tabs = useStream(store.tabs$, []);
  const [move, setMove] = useState<{ readonly key: string; readonly index: number }>();
  useEffect(() => {
    const subscription = store.moved$.subscribe(setMove);
    return () => subscription.unsubscribe();
  }, [store]);
  const title = tabs.find(({ key }) => key === move?.key)?.title;
  return (
    <div className="visually-hidden" role="status">
      {move && title !== undefined && t('tabs.moved', { title, position: move.index + 1, count: tabs.length })}
    </div>
  );
}

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
function TabMenu({ tab, at, onDone, onLeave }: TabMenuProps) {
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
    <div ref={box} className={menuStyles.menu} style={{ left: position.x, top: position.y }}>
      <MenuList label={t('tabs.menu', { title: tab.title })} choices={choices} onDone={onDone} onLeave={onLeave} />
    </div>
  );
}

const margin = 8;
const clampToWindow = (offset: number, available: number) => Math.max(margin, Math.min(offset, available - margin));

/** Suppresses the browser's context menu on this menu. */
const preventDefault = (event: Event) => event.preventDefault();
