import { Link } from 'react-router-dom';
import { useText } from '../i18n/use-words.ts';
import { useAtlas } from '../router/atlas.tsx';
import { Breadcrumb } from './Breadcrumb.tsx';
import { useFullScreen } from './full-screen.ts';
import { Icon } from './Icon.tsx';
import { IconButton } from './IconButton.tsx';
import { AppearanceMenu, LanguageMenu } from './LookMenus.tsx';
import styles from './TopBar.module.css';
import { UserMenu } from './UserMenu.tsx';

interface TopBarProps {
  readonly isNarrow: boolean;
  readonly isCollapsed: boolean;
  readonly isDrawerOpen: boolean;
  readonly onToggle: () => void;
}

/** What is at hand on every page. */
export function TopBar({ isNarrow, isCollapsed, isDrawerOpen, onToggle }: TopBarProps) {
  const text = useText();
  const { homePath } = useAtlas();
  const fullScreen = useFullScreen();
  return (
    <header className={styles.bar}>
      <IconButton
        label={text(isNarrow ? 'shell.openNavigation' : isCollapsed ? 'shell.expand' : 'shell.collapse')}
        aria-expanded={isNarrow ? isDrawerOpen : !isCollapsed}
        onClick={onToggle}
      >
        <Icon name={isNarrow ? 'menu' : isCollapsed ? 'expand' : 'collapse'} />
      </IconButton>
      {!isNarrow && (
        <Link className={styles.home} to={homePath} aria-label={text('shell.home')} title={text('shell.home')}>
          <Icon name="home" />
        </Link>
      )}
      <Breadcrumb />
      <div className={styles.tools}>
        {!isNarrow && fullScreen.isPossible && (
          <IconButton
            label={text(fullScreen.isOn ? 'shell.leaveFullScreen' : 'shell.enterFullScreen')}
            aria-pressed={fullScreen.isOn}
            onClick={fullScreen.toggle}
          >
            <Icon name={fullScreen.isOn ? 'leaveFullScreen' : 'fullScreen'} />
          </IconButton>
        )}
        <LanguageMenu />
        <AppearanceMenu />
        <UserMenu isNarrow={isNarrow} />
      </div>
    </header>
  );
}
