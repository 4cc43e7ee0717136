import { Suspense, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useService } from '../../base/react/services.tsx';
import { useStore } from '../../base/react/use-store.ts';
import { useStream } from '../../base/react/use-stream.ts';
import { Locale } from '../../platform/i18n/locale.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { useGrants } from '../../platform/permission/use-can.tsx';
import { displayName, roleNames, useUser } from '../../platform/session/use-user.ts';
import { appearances, Theme } from '../../platform/theme/theme.ts';
import { lazyComponent } from '../../ui/loading/lazy-component.tsx';
import { MenuButton, type MenuChoice } from '../../ui/menus/MenuButton.tsx';
import { useSlot } from '../../ui/slots/slots.ts';
import { useFullScreen } from '../actions/full-screen.ts';
import { useSignOut } from '../actions/use-sign-out.ts';
import { UserMenuItems } from '../slots.ts';
import { OpenOverlay } from '../state/open-overlay.ts';
import { Preferences } from '../state/preferences.ts';
import styles from './TopBar.module.css';

const ActingDialog = lazyComponent(() => import('./ActingDialog.tsx'));
const LockDialog = lazyComponent(() => import('../lock/LockDialog.tsx'));

interface UserMenuProps {
  readonly isNarrow: boolean;
  /** True where the bar has no room for the tools. */
  readonly hasTools: boolean;
  readonly hasRoleSwitch: boolean;
}

/** Shows the signed-in user with the account menu; it also holds language and appearance, and the tools that do not fit into the bar. */
export function UserMenu({ isNarrow, hasTools, hasRoleSwitch }: UserMenuProps) {
  const [openDialog, setOpenDialog] = useState<'acting' | 'lock'>();
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
  const otherLanguage = language === 'zh' ? 'en' : 'zh';
  const theme = useService(Theme);
  const appearance = useStream(theme.appearance$, theme.appearance);
  const overlay = useService(OpenOverlay);
  const fullScreen = useFullScreen();
  const roles = roleNames(user, t);
  const name = displayName(user);

  const choices: MenuChoice[] = [
    { key: 'console', label: t('shell.console'), icon: 'console', onSelect: () => navigate('/wel/dashboard') },
    ...added.map(({ key, part: { title, icon, path } }): MenuChoice => ({ key, label: t(title), icon, onSelect: () => navigate(path) })),
    ...(hasRoleSwitch ? [{ key: 'acting', label: t('roleSwitch.title'), icon: 'user', onSelect: () => setOpenDialog('acting') } as const] : []),
    { key: 'tags', label: t('shell.showTagBar'), icon: 'tags', isSelected: hasTagBar, onSelect: () => preferences.change({ tagBar: !hasTagBar }) },
    ...(hasTools ? [{ key: 'lock', label: t('lock.lockScreen'), icon: 'lock', onSelect: () => setOpenDialog('lock') } as const] : []),
    ...(hasTools && fullScreen.isSupported
      ? [{ key: 'full', label: t('shell.enterFullScreen'), icon: 'fullScreen', isSelected: fullScreen.isFullScreen, onSelect: fullScreen.toggle } as const]
      : []),
    { key: 'language', label: t(`shell.${otherLanguage}`), icon: 'globe', startsGroup: true, onSelect: () => locale.setLanguage(otherLanguage) },
    ...appearances.map((key): MenuChoice => ({ key, label: t(`shell.${key}`), icon: key, isSelected: key === appearance, onSelect: () => theme.select(key) })),
    { key: 'settings', label: t('settings.more'), icon: 'palette', onSelect: () => overlay.show('settings') },
    { key: 'out', label: t('shell.signOut'), icon: 'signOut', startsGroup: true, onSelect: signOut },
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
        <Avatar key={user?.avatar} src={user?.avatar} name={name} />
        {!isNarrow && (
          <span className={styles.userName}>
            <span>{name}</span> <span>{roles}</span>
          </span>
        )}
      </MenuButton>
      <Suspense>
        {openDialog === 'acting' && <ActingDialog onClose={() => setOpenDialog(undefined)} />}
        {openDialog === 'lock' && <LockDialog onClose={() => setOpenDialog(undefined)} />}
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
