import { type ReactElement, type ReactNode, Suspense, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import type { SessionEnding } from '#shared/session-ended';
import { Bus } from '../base/bus/bus.ts';
import { ServicesProvider, useService } from '../base/react/services.tsx';
import { useStream } from '../base/react/use-stream.ts';
import { withBase } from '../platform/browser/base-path.ts';
import { useTranslation } from '../platform/i18n/use-translation.ts';
import { ScreenLock } from '../platform/lock/screen-lock.ts';
import { takeInvitation } from '../platform/session/invitation.ts';
import { ProofPrompt } from '../platform/session/proof-prompt.ts';
import { Session, SignedOut, SwitchedElsewhere } from '../platform/session/session.ts';
import { Branding } from '../platform/theme/branding.ts';
import { ErrorPage } from '../ui/errors/ErrorPage.tsx';
import { ProblemView } from '../ui/errors/ProblemView.tsx';
import { lazyComponent } from '../ui/loading/lazy-component.tsx';
import { BrandMark } from '../ui/primitives/BrandMark.tsx';
import { SignInPage } from '../workbench/sign-in/SignInPage.tsx';
import {
  createUrlLock,
  isLockPageRequested,
  type LockedAddress,
  leaveSignIn,
  requestedErrorPage,
  showSignIn,
  type UrlLock,
} from '../workbench/sign-in/sign-in-redirect.ts';
import type { CoreServices } from './core-services.ts';
import styles from './Splash.module.css';

const ExpiredDialog = lazyComponent(() => import('../workbench/sign-in/ExpiredDialog.tsx'));
const AccountSwitchedDialog = lazyComponent(() => import('../workbench/sign-in/AccountSwitchedDialog.tsx'));
const ProofDialog = lazyComponent(() => import('../workbench/proof/ProofDialog.tsx'));
const LockPage = lazyComponent(() => import('../workbench/lock/LockPage.tsx'));

/** A running console: its screen, and the function that closes it. */
export interface OpenConsole {
  readonly screen: ReactElement;
  close(): void;
}

interface RootProps {
  readonly core: CoreServices;
  /** Loads the rest of the console and resolves with the function that opens it; called early to preload it. */
  readonly fetchConsole: () => Promise<() => OpenConsole>;
}

/** Shows the sign-in page, or the console of the signed-in user; one replaces the other without a reload. */
export function Root({ core, fetchConsole }: RootProps) {
  return (
    <ServicesProvider services={core}>
      <SignInGate core={core} fetchConsole={fetchConsole} />
    </ServicesProvider>
  );
}

function SignInGate({ core, fetchConsole }: RootProps) {
  const t = useTranslation();
  const session = useService(Session);
  const lock = useService(ScreenLock);
  const user = useStream(session.user$, session.user);
  const [invitation, setInvitation] = useState(takeInvitation);
  // An invitation is answered before the console opens, even if another user is signed in here.
  const mayEnter = user !== undefined && user.password_expired !== true && user.second_factor_missing !== true && !invitation;
  const owner = mayEnter ? `${user.tenant_id}/${user.user_id}` : undefined;
  const signOut = useLastSignOut();
  const isLocked = useStream(lock.isLocked$, lock.isLocked) && owner !== undefined;
  const isAwaitingUnlock = useAwaitingUnlock(owner, isLocked);
  const keepsPage = core.manifest.expiredSession !== 'signIn';
  const expired = useExpiredSession(owner, keepsPage && user === undefined && signOut.current.reason === 'refused');
  const { screen, failure } = useConsole(isAwaitingUnlock ? undefined : (owner ?? expired.owner), fetchConsole);
  const isExpired = owner === undefined && screen !== undefined;
  expired.track(owner, screen !== undefined, isLocked);
  useLockedAddress(isLocked ? '/lock' : isExpired ? '/login' : undefined);
  const hasShownSignIn = useRef(false);
  const preloadConsole = useCallback(() => void fetchConsole().catch(() => undefined), [fetchConsole]);
  const [switched, closeSwitched] = useAccountSwitch();
  const [hasLeftLock, setHasLeftLock] = useState(false);
  const isLockOpenedByAddress = user === undefined && !hasLeftLock && !signOut.current.reason && isLockPageRequested();
  const problem = mayEnter || signOut.current.reason ? undefined : requestedErrorPage();

  useEffect(() => {
    if (mayEnter || problem || isExpired || isLockOpenedByAddress) return;
    hasShownSignIn.current = true;
    showSignIn(signOut.current.reason !== 'chosen');
    const timer = window.setTimeout(preloadConsole, 2500);
    return () => window.clearTimeout(timer);
  }, [mayEnter, problem, isExpired, isLockOpenedByAddress, signOut, preloadConsole]);

  if (problem) return <ErrorPage status={problem} onLeave={() => window.location.assign(withBase('/'))} />;
  if (isLockOpenedByAddress)
    return (
      <Suspense fallback={<Splash />}>
        <LockPage productTitle={t(core.get(Branding).title)} onSignIn={() => setHasLeftLock(true)} />
      </Suspense>
    );
  if (failure !== undefined) return <BootFailure error={failure} />;
  if (screen || isLocked)
    return (
      <>
        {screen && <KeepAlive isDetached={isLocked || (isExpired && expired.wasLocked)}>{screen}</KeepAlive>}
        <Suspense fallback={screen ? null : <Splash />}>
          {isLocked && <LockPage productTitle={t(core.get(Branding).title)} />}
          {isExpired && <ExpiredDialog manifest={core.manifest} ending={signOut.current.ending} onLeave={expired.leave} />}
          {!isLocked && !isExpired && <ProofGate />}
          {switched && owner && !isLocked && <AccountSwitchedDialog {...switched} onClose={closeSwitched} />}
        </Suspense>
      </>
    );
  if (mayEnter && !hasShownSignIn.current) return <Splash />;
  const wasEnded = signOut.current.reason === 'refused' || signOut.current.reason === 'elsewhere';
  const notice = wasEnded ? t('signIn.sessionEnded') : undefined;
  return (
    <>
      <SignInPage
        manifest={core.manifest}
        onTyping={preloadConsole}
        isOpening={mayEnter}
        notice={notice}
        invitation={invitation}
        onInvitationClosed={() => setInvitation(undefined)}
      />
      <Suspense>
        <ProofGate />
      </Suspense>
    </>
  );
}

/** Shows the dialog that asks for a proof of identity while a call waits for it. */
function ProofGate() {
  const prompt = useService(ProofPrompt);
  const isOpen = useStream(prompt.isOpen$, false);
  return isOpen && <ProofDialog onClose={(isProven) => prompt.close(isProven)} />;
}

/** Keeps the address at `/lock` or `/login` while one of them covers the console, whatever the browser's back and forward buttons do. */
function useLockedAddress(address: LockedAddress | undefined): void {
  const lockRef = useRef<UrlLock>(undefined);
  useEffect(() => {
    const urlLock = createUrlLock();
    lockRef.current = urlLock;
    return () => urlLock.dispose();
  }, []);
  useEffect(() => {
    if (!address) return;
    lockRef.current?.lock(address);
    return () => lockRef.current?.release();
  }, [address]);
}

/** Tracks the owner whose console waits after its session was refused, until they or another user sign in. */
function useExpiredSession(owner: string | undefined, isRefused: boolean) {
  const lastOwner = useRef<string>(undefined);
  const wasLocked = useRef(false);
  const [leftOwner, setLeftOwner] = useState<string>();
  if (owner !== undefined && leftOwner !== undefined) setLeftOwner(undefined);
  const waitingOwner = owner === undefined && isRefused && lastOwner.current !== leftOwner ? lastOwner.current : undefined;
  return {
    owner: waitingOwner,
    /** The screen was locked when the session ended, so nothing of the console is shown. */
    wasLocked: wasLocked.current,
    leave: () => setLeftOwner(lastOwner.current),
    track(currentOwner: string | undefined, isOpen: boolean, isLocked: boolean) {
      if (currentOwner === undefined) return;
      lastOwner.current = isOpen ? currentOwner : undefined;
      wasLocked.current = isLocked;
    },
  };
}

/** Returns true until a screen that was locked when this page loaded has been unlocked. No console starts before. */
function useAwaitingUnlock(owner: string | undefined, isLocked: boolean): boolean {
  const [unlockedOwner, setUnlockedOwner] = useState<string>();
  if (!isLocked && unlockedOwner !== owner) setUnlockedOwner(owner);
  return isLocked && unlockedOwner !== owner;
}

/** Returns a ref to the last sign-out with its reason; it is set before the sign-out is rendered. */
function useLastSignOut() {
  const bus = useService(Bus);
  const signOut = useRef<Partial<{ reason: 'chosen' | 'refused' | 'elsewhere'; ending: SessionEnding | undefined }>>({});
  useEffect(() => bus.on(SignedOut, (event) => (signOut.current = event)), [bus]);
  return signOut;
}

/** Returns the previous and the new user after another tab has signed in another user, until the operator dismisses it. */
function useAccountSwitch() {
  const bus = useService(Bus);
  const [switched, setSwitched] = useState<{ readonly from: string; readonly to: string }>();
  useEffect(() => bus.on(SwitchedElsewhere, setSwitched), [bus]);
  return [switched, () => setSwitched(undefined)] as const;
}

/** Opens a console for each owner in turn and closes it when that owner leaves, so that no user sees another user's console. */
function useConsole(owner: string | undefined, fetchConsole: RootProps['fetchConsole']) {
  const [opened, setOpened] = useState<{ readonly owner: string; readonly screen: ReactElement }>();
  const [failure, setFailure] = useState<Error>();

  useEffect(() => {
    if (owner === undefined) return;
    let isWanted = true;
    let console: OpenConsole | undefined;
    leaveSignIn();
    fetchConsole()
      .then((openConsole) => {
        if (!isWanted) return;
        console = openConsole();
        setOpened({ owner, screen: console.screen });
      })
      .catch((error: unknown) => isWanted && setFailure(error instanceof Error ? error : new Error(String(error))));
    return () => {
      isWanted = false;
      setFailure(undefined);
      setOpened(undefined);
      console?.close();
    };
  }, [owner, fetchConsole]);

  return { screen: opened?.owner === owner ? opened?.screen : undefined, failure };
}

/** Shown while the console loads; it appears only after a short delay. */
function Splash() {
  const t = useTranslation();
  return (
    <div className={styles.splash} role="status">
      <BrandMark size={48} />
      <span className="visually-hidden">{t('shell.loading')}</span>
    </div>
  );
}

/** Shown when the console itself could not be loaded or started. */
function BootFailure({ error }: { readonly error: Error }) {
  const t = useTranslation();
  return (
    <ProblemView
      scene="offline"
      title={t('shell.bootFailed')}
      explanation={t('shell.bootFailedExplained')}
      details={error.message}
      actions={[
        { label: t('errors.retry'), onAction: () => window.location.reload() },
        { label: t('shell.safeMode'), onAction: () => window.location.assign(withBase('/?safe=1')) },
      ]}
    />
  );
}

/** Keeps its children mounted while their elements are removed from the document, so that scripts and assistive technology cannot reach them. They return with their state and scroll positions. */
function KeepAlive({ isDetached, children }: { readonly isDetached: boolean; readonly children: ReactNode }) {
  const containerRef = useRef<HTMLDivElement>(null);
  const [host] = useState(() => {
    const element = document.createElement('div');
    element.style.display = 'contents';
    return element;
  });
  // As the ref of an earlier sibling it runs before the effects of the children, which measure themselves.
  const attachHost = useCallback(
    (element: HTMLDivElement | null) => {
      containerRef.current = element;
      element?.append(host);
    },
    [host],
  );

  useLayoutEffect(() => {
    if (!isDetached) return;
    const scrolled = [...host.querySelectorAll('*')].map((element) => ({ element, top: element.scrollTop, left: element.scrollLeft }));
    host.remove();
    return () => {
      containerRef.current?.append(host);
      for (const { element, top, left } of scrolled) if (top > 0 || left > 0) element.scrollTo({ top, left });
    };
  }, [host, isDetached]);

  return (
    <>
      <div ref={attachHost} style={{ display: 'contents' }} />
      {createPortal(children, host)}
    </>
  );
}
