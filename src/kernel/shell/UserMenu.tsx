import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { Session } from '../auth/session.ts';
import { useText } from '../i18n/use-words.ts';
import { useService } from '../services.tsx';
import { TabStore } from '../tabs/tab-store.ts';
import { useStore } from '../use-store.ts';
import { useStream } from '../use-stream.ts';
import { Dialogs } from './dialogs.ts';
import { MenuButton, type MenuChoice } from './MenuButton.tsx';
import { Preferences } from './preferences.ts';
import styles from './TopBar.module.css';

/** Who is signed in, and what they may do about themselves. */
export function UserMenu({ isNarrow }: { readonly isNarrow: boolean }) {
  const text = useText();
  const navigate = useNavigate();
  const session = useService(Session);
  const preferences = useService(Preferences);
  const hasTagBar = useStore(preferences, ({ tagBar }) => tagBar);
  const user = useStream(session.user$, session.user);
  const signOut = useSignOut();
  const name = user?.real_name || user?.user_name || user?.account || '';

  const choices: MenuChoice[] = [
    { key: 'console', label: text('shell.console'), icon: 'console', onChoose: () => navigate('/wel/dashboard') },
    { key: 'password', label: text('shell.changePassword'), icon: 'key', onChoose: () => navigate('/info/index') },
    { key: 'tags', label: text('shell.showTagBar'), icon: 'tags', isChosen: hasTagBar, onChoose: () => preferences.change({ tagBar: !hasTagBar }) },
    { key: 'out', label: text('shell.signOut'), icon: 'signOut', onChoose: signOut },
  ];
  const heading = (
    <div className={styles.userHeading}>
      <p>{name}</p>
      <p>{user?.role_name}</p>
    </div>
  );
  return (
    <MenuButton label={text('shell.account', { name })} choices={choices} heading={heading}>
      <Avatar src={user?.avatar} name={name} />
      {!isNarrow && (
        <span className={styles.userName}>
          <span>{name}</span>
          <span>{user?.role_name}</span>
        </span>
      )}
    </MenuButton>
  );
}

function Avatar({ src, name }: { readonly src: string | undefined; readonly name: string }) {
  const [isBroken, setBroken] = useState(false);
  return (
    <span className={styles.avatar} aria-hidden="true">
      {src && !isBroken ? <img src={src} alt="" onError={() => setBroken(true)} /> : name.slice(0, 1).toUpperCase()}
    </span>
  );
}

/** Asks, says so when something would be lost, and signs out. */
function useSignOut(): () => void {
  const text = useText();
  const session = useService(Session);
  const dialogs = useService(Dialogs);
  const tabs = useService(TabStore);
  return async () => {
    const content = text(tabs.isDirty ? 'shell.signOutUnsaved' : 'shell.signOutQuestion');
    const isSure = await dialogs.confirm({ title: text('shell.signOutTitle'), content, confirm: text('shell.confirm'), cancel: text('shell.cancel') });
    if (isSure) await session.signOut();
  };
}
