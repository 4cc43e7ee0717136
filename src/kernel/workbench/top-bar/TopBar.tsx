import { memo, type ReactNode, Suspense, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import type { LocalizedText } from '#shared/text';
import { useService } from '../../base/react/services.tsx';
import { useStream } from '../../base/react/use-stream.ts';
import { useMediaQuery } from '../../platform/browser/use-media-query.ts';
import { ErrorLog } from '../../platform/errors/error-log.ts';
import { Locale } from '../../platform/i18n/locale.ts';
import type { TextKey } from '../../platform/i18n/texts.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { useGrants } from '../../platform/permission/use-can.tsx';
import { useUser } from '../../platform/session/use-user.ts';
import { Branding } from '../../platform/theme/branding.ts';
import { lazyComponent } from '../../ui/loading/lazy-component.tsx';
import { BrandMark } from '../../ui/primitives/BrandMark.tsx';
import { CountBadge } from '../../ui/primitives/CountBadge.tsx';
import { toggleId } from '../../ui/primitives/element-ids.ts';
import { Icon, type IconName } from '../../ui/primitives/Icon.tsx';
import { IconButton } from '../../ui/primitives/IconButton.tsx';
import { ContributionBoundary } from '../../ui/slots/ContributionBoundary.tsx';
import { useSlot } from '../../ui/slots/slots.ts';
import { useFullScreen } from '../actions/full-screen.ts';
import { useRouteTable } from '../routes/route-table.tsx';
import { HeaderItems } from '../slots.ts';
import { OpenOverlay } from '../state/open-overlay.ts';
import styles from './TopBar.module.css';
import { UserMenu } from './UserMenu.tsx';

interface TopBarProps {
  readonly isNarrow: boolean;
  /** True where the deployment lets users switch between their departments and roles. */
  readonly hasRoleSwitch: boolean;
  readonly toggle: SidebarToggleProps | undefined;
  /** Product name at the start of the bar, where there is no sidebar. */
  readonly brand?: LocalizedText | undefined;
  /** Breadcrumb, or the sections of the menu. */
  readonly children: ReactNode;
}

interface SidebarToggleProps {
  readonly label: TextKey;
  readonly icon: IconName;
  readonly isExpanded: boolean;
  readonly onToggle: () => void;
}

/** Renders the bar of tools above every page. */
export function TopBar({ isNarrow, hasRoleSwitch, toggle, brand, children }: TopBarProps) {
  const t = useTranslation();
  const { homePath } = useRouteTable();
  return (
    <header className={styles.bar}>
      {brand && <Brand title={brand} />}
      {toggle && (
        <IconButton id={toggleId} label={t(toggle.label)} aria-expanded={toggle.isExpanded} onClick={toggle.onToggle}>
          <Icon name={toggle.icon} />
        </IconButton>
      )}
      {!isNarrow && (
        <Link className={styles.home} to={homePath} aria-label={t('shell.home')} title={t('shell.home')}>
          <Icon name="home" />
        </Link>
      )}
      {children}
      <TenantName />
      <Tools isNarrow={isNarrow} hasRoleSwitch={hasRoleSwitch} />
    </header>
  );
}

/** Renders the tools, which navigation does not render again. Where there is no room for names, full screen and lock are in the user menu. */
const Tools = memo(function Tools({ isNarrow, hasRoleSwitch }: Pick<TopBarProps, 'isNarrow' | 'hasRoleSwitch'>) {
  const t = useTranslation();
  const { isDebug } = useService(Branding);
  const fullScreen = useFullScreen();
  const locale = useService(Locale);
  const language = useStream(locale.language$, locale.language);
  // English names are twice as wide; the title of the page has to stay readable.
  const hasNames = useMediaQuery(language === 'en' ? '(min-width: 1440px)' : '(min-width: 1200px)');
  const fullScreenText = t(fullScreen.isFullScreen ? 'shell.leaveFullScreen' : 'shell.enterFullScreen');
  return (
    <div className={styles.tools}>
      <PaletteButton />
      {hasNames && fullScreen.isSupported && (
        <IconButton label={fullScreenText} text={fullScreenText} aria-pressed={fullScreen.isFullScreen} onClick={fullScreen.toggle}>
          <Icon name={fullScreen.isFullScreen ? 'leaveFullScreen' : 'fullScreen'} />
        </IconButton>
      )}
      {hasNames && <LockButton />}
      {isDebug && <LogButton />}
      <AddedItems />
      <UserMenu isNarrow={isNarrow} hasTools={!hasNames} hasRoleSwitch={hasRoleSwitch} />
    </div>
  );
});

/** Shows the items of plugins that the user may see. */
function AddedItems() {
  const may = useGrants();
  return useSlot(HeaderItems)
    .filter(({ part: { code } }) => may(code))
    .map((contribution) => (
      <ContributionBoundary key={contribution.key} owner={contribution}>
        <contribution.part.Item />
      </ContributionBoundary>
    ));
}

function Brand({ title }: { readonly title: LocalizedText }) {
  const t = useTranslation();
  return (
    <div className={styles.brand}>
      <BrandMark size={30} />
      <span>{t(title)}</span>
    </div>
  );
}

/** Shows the name of the current tenant; nothing in the platform. */
function TenantName() {
  const t = useTranslation();
  const name = useUser()?.tenant_name;
  if (!name) return null;
  const label = t('shell.tenantName', { name });
  return (
    <span className={styles.tenant} title={label} role="note" aria-label={label}>
      {name}
    </span>
  );
}

const LockDialog = lazyComponent(() => import('../lock/LockDialog.tsx'));

/** Opens the dialog that asks for a lock password and locks the screen. */
function LockButton() {
  const t = useTranslation();
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <IconButton label={t('lock.lockScreen')} text={t('lock.lockScreen')} aria-haspopup="dialog" onClick={() => setIsAsking(true)}>
        <Icon name="lock" />
      </IconButton>
      {isAsking && (
        <Suspense>
          <LockDialog onClose={() => setIsAsking(false)} />
        </Suspense>
      )}
    </>
  );
}

/** Opens the error log of this browser and shows its number of entries; for deployments in debug mode. */
function LogButton() {
  const t = useTranslation();
  const navigate = useNavigate();
  const log = useService(ErrorLog);
  const { length } = useStream(log.entries$, log.entries);
  return (
    <IconButton label={t('logs.open', { count: length })} onClick={() => navigate('/logs')}>
      <Icon name="bug" />
      <CountBadge count={length} />
    </IconButton>
  );
}

/** Opens the palette for users who do not know its shortcut. */
function PaletteButton() {
  const t = useTranslation();
  const overlay = useService(OpenOverlay);
  return (
    <button
      type="button"
      className={styles.search}
      aria-label={t('palette.title')}
      title={t('palette.title')}
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      onClick={() => overlay.show('palette')}
    >
      <Icon name="search" />
      <span>{t('palette.title')}</span>
      <kbd>Ctrl K</kbd>
    </button>
  );
}
