import { Suspense, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useService } from '../../base/react/services.tsx';
import { useStore } from '../../base/react/use-store.ts';
import { useStream } from '../../base/react/use-stream.ts';
import { Locale } from '../../platform/i18n/locale.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { useGrants } from '../../platform/permission/use-can.tsx';
import { displayName, roleNames, useUser } from '../../platform/session/use-user.ts';
import { lazyComponent } from '../../ui/loading/lazy-component.tsx';
import { MenuButton, type MenuChoice } from '../../ui/menus/MenuButton.tsx';
import { useSlot } from '../../ui/slots/use-slot.ts';
import { useSignOut } from '../actions/use-sign-out.ts';
import { UserMenuItems } from '../slots.ts';
import { Preferences } from '../state/preferences.ts';
import styles from './TopBar.module.css';

const ActingDialog = lazyComponent(() => import('./ActingDialog.tsx'));
const LockDialog = lazyComponent(() => import('../lock/LockDialog.tsx'));

/** Shows the signed-in user with the account menu; on narrow screens it also holds the tools that do not fit into the bar. */
export function UserMenu({ isNarrow, maySwitch }: { readonly isNarrow: boolean; readonly maySwitch: boolean }) {
  const [asking, setAsking] = useState<'acting' | 'lock'>();
  const t = useTranslation();
  const navigate = useNavigate();
  const preferences = useService(Preferences);
  const hasTagBar = useStore(preferences, ({ tagBar }) => tagBar);
  const user = useUser();
  const signOut = useSignOut();
  const may = useGrants();
  const added = useSlot(UserMenuItems).filter(({ part: { code } }) => may(code));
  const locale = useService(Locale);
  const language = useStream(locale.language$, locale.language);
  const other = language === 'zh' ? 'en' : 'zh';
  const roles = roleNames(user, t('shell.listSeparator'));
  const name = displayName(user);

  const choices: MenuChoice[] = [
    { key: 'console', label: t('shell.console'), icon: 'console', onChoose: () => navigate('/wel/dashboard') },
    ...added.map(({ key, part: { title, icon, path } }): MenuChoice => ({ key, label: t(title), icon, onChoose: () => navigate(path) })),
    ...(maySwitch ? [{ key: 'acting', label: t('acting.title'), icon: 'user', onChoose: () => setAsking('acting') } as const] : []),
    { key: 'tags', label: t('shell.showTagBar'), icon: 'tags', isChosen: hasTagBar, onChoose: () => preferences.change({ tagBar: !hasTagBar }) },
    ...(isNarrow
      ? [
          { key: 'lock', label: t('lock.lockScreen'), icon: 'lock', onChoose: () => setAsking('lock') } as const,
          { key: 'language', label: t(`shell.${other}`), icon: 'globe', onChoose: () => locale.setLanguage(other) } as const,
        ]
      : []),
    { key: 'out', label: t('shell.signOut'), icon: 'signOut', onChoose: signOut },
  ];
  const heading = (
    <div className={styles.userHeading}>
      <p>{name}</p>
      <p>{roles}</p>
    </div>
  );
  return (
    <>
      <MenuButton label={t('shell.account', { name: `${name} ${roles}`.trim() })} choices={choices} heading={heading}>
        <Avatar src={user?.avatar} name={name} />
        {!isNarrow && (
          <span className={styles.userName}>
            <span>{name}</span> <span>{roles}</span>
          </span>
        )}
      </MenuButton>
      <Suspense>
        {asking === 'acting' && <ActingDialog onClose={() => setAsking(undefined)} />}
        {asking === 'lock' && <LockDialog onClose={() => setAsking(undefined)} />}
      </Suspense>
    </>
  );
}

function Avatar({ src, name }: { readonly src: string | undefined; readonly name: string }) {
  const [isBroken, setIsBroken] = useState(false);
  return (
    <span className={styles.avatar} aria-hidden="true">
      {src && !isBroken ? <img src={src} alt="" onError={() => setIsBroken(true)} /> : name.slice(0, 1).toUpperCase()}
    </span>
  );
}
