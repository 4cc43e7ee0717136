import { type ReactElement, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import type { SessionEnding } from '#shared/session-ended';
import { SignInPage } from '../auth/SignInPage.tsx';
import { Session, SignedOut, SwitchedElsewhere } from '../auth/session.ts';
import { Bus } from '../bus.ts';
import { ErrorPage } from '../errors/ErrorPage.tsx';
import { useText, useWords } from '../i18n/use-words.ts';
import type { LightKernel } from '../light.ts';
import { ScreenLock } from '../lock/screen-lock.ts';
import { part } from '../part.tsx';
import { ServicesProvider, useService } from '../services.tsx';
import { useStream } from '../use-stream.ts';
import { BootFailure } from './BootFailure.tsx';
import { Branding } from './branding.ts';
import { Detachable } from './Detachable.tsx';
import { type AddressHold, addressHold, type HeldAddress, leaveSignIn, openProblem, showSignIn } from './entrance.ts';
import { Splash } from './Splash.tsx';

const ExpiredDialog = part(() => import('../auth/ExpiredDialog.tsx'));
const SwitchedDialog = part(() => import('../auth/SwitchedDialog.tsx'));
const LockPage = part(() => import('../lock/LockPage.tsx'));

/** A running console: what it shows, and how it ends. */
export interface OpenConsole {
  readonly screen: ReactElement;
  close(): void;
}

interface RootProps {
  readonly light: LightKernel;
  /** Fetches the rest of the console and answers with what opens it; called early to warm it. */
  readonly fetchConsole: () => Promise<() => OpenConsole>;
}

/** The sign-in page alone, or the console of whoever is signed in; one follows the other without a reload. */
export function Root({ light, fetchConsole }: RootProps) {
  return (
    <ServicesProvider services={light}>
      <Entrance light={light} fetchConsole={fetchConsole} />
    </ServicesProvider>
  );
}

function Entrance({ light, fetchConsole }: RootProps) {
  const text = useText();
  const say = useWords();
  const session = useService(Session);
  const lock = useService(ScreenLock);
  const user = useStream(session.user$, session.user);
  const mayEnter = user !== undefined && user.password_expired !== true;
  const owner = mayEnter ? `${user.tenant_id}/${user.user_id}` : undefined;
  const ending = useEnding();
  const isLocked = useStream(lock.isLocked$, lock.isLocked) && owner !== undefined;
  const isHeld = useHeld(owner, isLocked);
  const expired = useExpired(owner, user === undefined && ending.current.reason === 'refused');
  const { screen, failure } = useConsole(isHeld ? undefined : (owner ?? expired.owner), fetchConsole);
  const isExpired = owner === undefined && screen !== undefined;
  expired.note(owner, screen !== undefined, isLocked);
  useHeldAddress(isLocked ? '/lock' : isExpired ? '/login' : undefined);
  const hasShownSignIn = useRef(false);
  const warm = useCallback(() => void fetchConsole().catch(() => undefined), [fetchConsole]);
  const [switched, closeSwitched] = useSwitched();
  const problem = mayEnter || ending.current.reason ? undefined : openProblem();

  useEffect(() => {
    if (mayEnter || problem || isExpired) return;
    hasShownSignIn.current = true;
    showSignIn(ending.current.reason !== 'chosen');
    const idle = window.setTimeout(warm, 2500);
    return () => window.clearTimeout(idle);
  }, [mayEnter, problem, isExpired, ending, warm]);

  if (problem) return <ErrorPage status={problem} onLeave={() => window.location.assign('/')} />;
  if (failure !== undefined) return <BootFailure error={failure} />;
  if (screen || isLocked)
    return (
      <>
        {screen && <Detachable isDetached={isLocked || (isExpired && expired.wasLocked)}>{screen}</Detachable>}
        <Suspense fallback={screen ? null : <Splash />}>
          {isLocked && <LockPage productTitle={say(light.get(Branding).title)} />}
          {isExpired && <ExpiredDialog manifest={light.manifest} ending={ending.current.ending} onLeave={expired.leave} />}
          {switched && owner && !isLocked && <SwitchedDialog {...switched} onClose={closeSwitched} />}
        </Suspense>
      </>
    );
  if (mayEnter && !hasShownSignIn.current) return <Splash />;
  const wasEnded = ending.current.reason === 'refused' || ending.current.reason === 'elsewhere';
  return <SignInPage manifest={light.manifest} onTyping={warm} isOpening={mayEnter} notice={wasEnded ? text('signIn.sessionEnded') : undefined} />;
}

/** The address says `/lock` or `/login` as long as one of them stands before the console, whatever the browser's buttons do. */
function useHeldAddress(at: HeldAddress | undefined): void {
  const address = useRef<AddressHold>(undefined);
  useEffect(() => {
    const hold = addressHold();
    address.current = hold;
    return () => hold.dispose();
  }, []);
  useEffect(() => {
    if (!at) return;
    address.current?.hold(at);
    return () => address.current?.release();
  }, [at]);
}

/** Whose console waits after its session was refused, until they sign in again or somebody else does. */
function useExpired(owner: string | undefined, isRefused: boolean) {
  const last = useRef<string>(undefined);
  const wasLocked = useRef(false);
  const [left, setLeft] = useState<string>();
  if (owner !== undefined && left !== undefined) setLeft(undefined);
  const waits = owner === undefined && isRefused && last.current !== left ? last.current : undefined;
  return {
    owner: waits,
    /** The screen was locked when the session ended: nothing of it is shown. */
    wasLocked: wasLocked.current,
    leave: () => setLeft(last.current),
    note(of: string | undefined, isOpen: boolean, isLocked: boolean) {
      if (of === undefined) return;
      last.current = isOpen ? of : undefined;
      wasLocked.current = isLocked;
    },
  };
}

/** True until a screen that was locked when this page was loaded has been unlocked: there is no console to begin before. */
function useHeld(owner: string | undefined, isLocked: boolean): boolean {
  const [entered, setEntered] = useState<string>();
  if (!isLocked && entered !== owner) setEntered(owner);
  return isLocked && entered !== owner;
}

/** How the last session ended here; known before anything is drawn for it. */
function useEnding() {
  const bus = useService(Bus);
  const ending = useRef<Partial<{ reason: 'chosen' | 'refused' | 'elsewhere'; ending: SessionEnding | undefined }>>({});
  useEffect(() => bus.on(SignedOut, (how) => (ending.current = how)), [bus]);
  return ending;
}

/** Who was here and who is, after another tab has signed somebody else in; until the operator has seen it. */
function useSwitched() {
  const bus = useService(Bus);
  const [switched, setSwitched] = useState<{ readonly from: string; readonly to: string }>();
  useEffect(() => bus.on(SwitchedElsewhere, setSwitched), [bus]);
  return [switched, () => setSwitched(undefined)] as const;
}

/** Opens a console for each owner in turn, and closes it when that one leaves; nobody sees another's. */
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
