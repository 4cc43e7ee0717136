import { memo, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { Words } from '#shared/text';
import { LogBadge } from '../errors/LogBadge.tsx';
import type { TextKey } from '../i18n/texts.ts';
import { useText, useWords } from '../i18n/use-words.ts';
import { NotificationBell } from '../inbox/NotificationBell.tsx';
import { LockButton } from '../lock/LockButton.tsx';
import { PaletteButton } from '../palette/PaletteButton.tsx';
import { useAtlas } from '../router/atlas.tsx';
import { useService } from '../services.tsx';
import { CentreButton } from '../transfers/CentreButton.tsx';
import { BrandMark } from './BrandMark.tsx';
import { Branding } from './branding.ts';
import { useFullScreen } from './full-screen.ts';
import { Icon, type IconName } from './Icon.tsx';
import { IconButton } from './IconButton.tsx';
import { AppearanceMenu, LanguageMenu } from './LookMenus.tsx';
import { toggleId } from './main-id.ts';
import styles from './TopBar.module.css';
import { UserMenu } from './UserMenu.tsx';

interface TopBarProps {
  readonly isNarrow: boolean;
  /** One of several departments and roles may be chosen to act as. */
  readonly maySwitch: boolean;
  readonly toggle: ToggleProps | undefined;
  /** Stands in front where nothing stands at the side. */
  readonly brand?: Words | undefined;
  /** Where the page stands, or the sections of the menu. */
  readonly children: ReactNode;
}

interface ToggleProps {
  readonly label: TextKey;
  readonly icon: IconName;
  readonly isExpanded: boolean;
  readonly onToggle: () => void;
}

/** What is at hand on every page. */
export function TopBar({ isNarrow, maySwitch, toggle, brand, children }: TopBarProps) {
  const text = useText();
  const { homePath } = useAtlas();
  return (
    <header className={styles.bar}>
      {brand && <Brand title={brand} />}
      {toggle && (
        <IconButton id={toggleId} label={text(toggle.label)} aria-expanded={toggle.isExpanded} onClick={toggle.onToggle}>
          <Icon name={toggle.icon} />
        </IconButton>
      )}
      {!isNarrow && (
        <Link className={styles.home} to={homePath} aria-label={text('shell.home')} title={text('shell.home')}>
          <Icon name="home" />
        </Link>
      )}
      {children}
      <Tools isNarrow={isNarrow} maySwitch={maySwitch} />
    </header>
  );
}

/** What does not depend on the page: going from one to another draws none of it again. */
const Tools = memo(function Tools({ isNarrow, maySwitch }: Pick<TopBarProps, 'isNarrow' | 'maySwitch'>) {
  const text = useText();
  const { isDebug } = useService(Branding);
  const fullScreen = useFullScreen();
  return (
    <div className={styles.tools}>
      <PaletteButton />
      {!isNarrow && fullScreen.isPossible && (
        <IconButton
          label={text(fullScreen.isOn ? 'shell.leaveFullScreen' : 'shell.enterFullScreen')}
          aria-pressed={fullScreen.isOn}
          onClick={fullScreen.toggle}
        >
          <Icon name={fullScreen.isOn ? 'leaveFullScreen' : 'fullScreen'} />
        </IconButton>
      )}
      <CentreButton />
      {!isNarrow && <LockButton />}
      {isDebug && <LogBadge />}
      <NotificationBell />
      {!isNarrow && <LanguageMenu />}
      <AppearanceMenu />
      <UserMenu isNarrow={isNarrow} maySwitch={maySwitch} />
    </div>
  );
});

function Brand({ title }: { readonly title: Words }) {
  const say = useWords();
  return (
    <div className={styles.brand}>
      <BrandMark size={30} />
      <span>{say(title)}</span>
    </div>
  );
}
