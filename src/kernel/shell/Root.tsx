import { type ReactElement, useCallback, useEffect, useRef, useState } from 'react';
import { SignInPage } from '../auth/SignInPage.tsx';
import { Session, SignedOut } from '../auth/session.ts';
import { Bus } from '../bus.ts';
import { ErrorPage } from '../errors/ErrorPage.tsx';
import { useText } from '../i18n/use-words.ts';
import type { LightKernel } from '../light.ts';
import { ServicesProvider, useService } from '../services.tsx';
import { useStream } from '../use-stream.ts';
import { BootFailure } from './BootFailure.tsx';
import { leaveSignIn, openProblem, showSignIn } from './entrance.ts';
import { Splash } from './Splash.tsx';

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
  const session = useService(Session);
  const user = useStream(session.user$, session.user);
  const mayEnter = user !== undefined && user.password_expired !== true;
  const owner = mayEnter ? `${user.tenant_id}/${user.user_id}` : undefined;
  const { screen, failure } = useConsole(owner, fetchConsole);
  const ending = useEnding();
  const hasShownSignIn = useRef(false);
  const warm = useCallback(() => void fetchConsole().catch(() => undefined), [fetchConsole]);
  const problem = mayEnter || ending.current ? undefined : openProblem();

  useEffect(() => {
    if (mayEnter || problem) return;
    hasShownSignIn.current = true;
    showSignIn(ending.current !== 'chosen');
    const idle = window.setTimeout(warm, 2500);
    return () => window.clearTimeout(idle);
  }, [mayEnter, problem, ending, warm]);

  if (problem) return <ErrorPage status={problem} onLeave={() => window.location.assign('/')} />;
  if (failure !== undefined) return <BootFailure error={failure} />;
  if (screen) return screen;
  if (mayEnter && !hasShownSignIn.current) return <Splash />;
  const wasEnded = ending.current === 'refused' || ending.current === 'elsewhere';
  return <SignInPage manifest={light.manifest} onTyping={warm} isOpening={mayEnter} notice={wasEnded ? text('signIn.sessionEnded') : undefined} />;
}

/** How the last session ended here; known before anything is drawn for it. */
function useEnding() {
  const bus = useService(Bus);
  const ending = useRef<'chosen' | 'refused' | 'elsewhere'>(undefined);
  useEffect(() => bus.on(SignedOut, ({ reason }) => (ending.current = reason)), [bus]);
  return ending;
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
