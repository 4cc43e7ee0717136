import { type ComponentType, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Session } from '../auth/session.ts';
import { SignInPage } from '../auth/SignInPage.tsx';
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
  readonly Console: ComponentType;
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
  const hasSignedInHere = useRef(!mayEnter);
  const [wasChosen, setChosen] = useState(true);
  const { open, failure, retry } = useConsole(owner, fetchConsole);
  const warm = useCallback(() => void fetchConsole().catch(() => undefined), [fetchConsole]);
  const problem = useMemo(() => (mayEnter ? undefined : openProblem()), [mayEnter]);

  useEffect(() => {
    if (mayEnter || problem) return;
    showSignIn();
    if (!hasSignedInHere.current) setChosen(false);
    hasSignedInHere.current = true;
    const idle = window.setTimeout(warm, 2500);
    return () => window.clearTimeout(idle);
  }, [mayEnter, problem, warm]);

  if (problem && !mayEnter) return <ErrorPage status={problem} onLeave={() => window.location.assign('/')} />;
  if (failure) return <BootFailure error={failure} onRetry={retry} />;
  if (open) return <open.Console />;
  if (mayEnter && !hasSignedInHere.current) return <Splash />;
  return <SignInPage manifest={light.manifest} onTyping={warm} isOpening={mayEnter} notice={wasChosen ? undefined : text('signIn.sessionEnded')} />;
}

/** Opens a console for each owner in turn, and closes it when that one leaves. */
function useConsole(owner: string | undefined, fetchConsole: RootProps['fetchConsole']) {
  const [open, setOpen] = useState<OpenConsole>();
  const [failure, setFailure] = useState<unknown>();
  const [round, setRound] = useState(0);

  useEffect(() => {
    if (owner === undefined) return;
    let isWanted = true;
    let opened: OpenConsole | undefined;
    const close = (console: OpenConsole) => {
      setOpen(undefined);
      console.close();
    };
    leaveSignIn();
    fetchConsole()
      .then((openConsole) => {
        if (!isWanted) return;
        opened = openConsole();
        setOpen(opened);
      })
      .catch((error: unknown) => isWanted && setFailure(error));
    return () => {
      isWanted = false;
      setFailure(undefined);
      if (opened) close(opened);
    };
  }, [owner, fetchConsole, round]);

  return { open, failure, retry: () => setRound((count) => count + 1) };
}
