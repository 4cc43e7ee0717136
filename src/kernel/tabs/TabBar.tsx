import { type KeyboardEvent, useEffect } from 'react';
import { useText } from '../i18n/use-words.ts';
import { useLocationTitle } from '../router/place-title.ts';
import { useService } from '../services.tsx';
import { Icon } from '../shell/Icon.tsx';
import { MenuButton, type MenuChoice } from '../shell/MenuButton.tsx';
import { useStream } from '../use-stream.ts';
import styles from './TabBar.module.css';
import { paneId, tabId } from './tab-ids.ts';
import { TabStore } from './tab-store.ts';
import type { Tab } from './tabs.ts';

/** The open pages as tabs: arrows move between them, Delete closes one. Crosses are for the pointer alone. */
export function TabBar({ onClearCache }: { readonly onClearCache: () => void }) {
  const text = useText();
  const store = useService(TabStore);
  const tabs = useStream(store.tabs$, []);
  const active = useStream(store.active$, undefined);
  const titleOf = useLocationTitle();
  const focusable = active ?? tabs[0]?.key;

  useEffect(() => {
    if (active !== undefined) document.getElementById(tabId(active))?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' });
  }, [active]);

  const show = (tab: Tab | undefined) => {
    if (!tab) return;
    store.open(tab);
    document.getElementById(tabId(tab.key))?.focus();
  };
  const onKeyDown = (tab: Tab, at: number) => (event: KeyboardEvent) => {
    const target = { ArrowRight: (at + 1) % tabs.length, ArrowLeft: (at - 1 + tabs.length) % tabs.length, Home: 0, End: tabs.length - 1 }[event.key];
    if (target !== undefined) show(tabs[target]);
    else if (event.key === 'Delete') store.close(tab.key);
    else return;
    event.preventDefault();
  };

  return (
    <section className={styles.bar} aria-label={text('tabs.label')}>
      <div role="tablist" aria-label={text('tabs.label')} className={styles.list}>
        {tabs.map((tab, at) => (
          <div
            key={tab.key}
            id={tabId(tab.key)}
            role="tab"
            className={styles.tab}
            tabIndex={tab.key === focusable ? 0 : -1}
            aria-selected={tab.key === active}
            aria-controls={tab.key === active ? paneId(tab.key) : undefined}
            aria-keyshortcuts={tab.closable ? 'Delete' : undefined}
            title={tab.closable ? text('tabs.closeHint') : undefined}
            onClick={() => store.open(tab)}
            onAuxClick={(event) => event.button === 1 && store.close(tab.key)}
            onKeyDown={onKeyDown(tab, at)}
          >
            {tab.dirty && <span className={styles.dirty} />}
            <span className={styles.title}>{titleOf(tab.location, tab.title)}</span>
            {tab.dirty && <span className="visually-hidden">{text('tabs.unsaved')}</span>}
            {tab.closable && <Cross onClose={() => store.close(tab.key)} />}
          </div>
        ))}
      </div>
      <TabActions onClearCache={onClearCache} />
    </section>
  );
}

function Cross({ onClose }: { readonly onClose: () => void }) {
  return (
    // A tab may hold no button of its own: the pointer closes it here, the keyboard with Delete.
    <span
      className={styles.cross}
      aria-hidden="true"
      onClick={(event) => {
        event.stopPropagation();
        onClose();
      }}
    >
      <Icon name="close" size={12} />
    </span>
  );
}

function TabActions({ onClearCache }: { readonly onClearCache: () => void }) {
  const text = useText();
  const store = useService(TabStore);
  const tabs = useStream(store.tabs$, []);
  const active = useStream(store.active$, undefined);
  const current = tabs.find((tab) => tab.key === active);
  const choices: MenuChoice[] = [
    { key: 'refresh', label: text('tabs.refresh'), icon: 'refresh', isDisabled: !current, onChoose: () => current && store.refresh(current.key) },
    { key: 'close', label: text('tabs.close'), isDisabled: !current?.closable, onChoose: () => current && store.close(current.key) },
    { key: 'others', label: text('tabs.closeOthers'), isDisabled: tabs.length < 2, onChoose: () => store.closeOthers() },
    { key: 'all', label: text('tabs.closeAll'), isDisabled: tabs.length < 2, onChoose: () => void store.closeAll() },
    { key: 'clear', label: text('tabs.clearCache'), onChoose: onClearCache },
  ];
  return (
    <MenuButton label={text('tabs.actions')} choices={choices}>
      <Icon name="more" />
    </MenuButton>
  );
}
