import { afterEach, expect, rs, test } from '@rstest/core';
import { cleanup, render, screen } from '@testing-library/react';
import { useLayoutEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { type ComponentLoader, loadComponent, useLoadedComponent } from '../../../../src/kernel/ui/loading/use-loaded-component.ts';

afterEach(cleanup);

const Lamp = () => <p>lit</p>;

function Room({ load }: { readonly load: ComponentLoader }) {
  const Loaded = useLoadedComponent(load);
  return Loaded ? <Loaded /> : <p>dark</p>;
}

test('a component is shown once it is loaded, and at once if it was loaded before', async () => {
  const load = async () => ({ default: Lamp });
  render(<Room load={load} />);
  expect(screen.getByText('dark')).toBeTruthy();
  await screen.findByText('lit');
  cleanup();
  render(<Room load={load} />);
  expect(screen.getByText('lit')).toBeTruthy();
});

test('a component that arrives between the first rendering and its effects is shown', async () => {
  let arrive: () => void = () => undefined;
  const arrival = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const load = async () => {
    await arrival;
    return { default: Lamp };
  };
  const Arriving = () => {
    useLayoutEffect(arrive);
    return <Room load={load} />;
  };
  void loadComponent(load);
  // Without `act`, the effects follow in a task of their own, as in a browser.
  rs.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
  const root = createRoot(document.body.appendChild(document.createElement('div')));
  root.render(<Arriving />);
  await screen.findByText('lit');
  root.unmount();
  rs.unstubAllGlobals();
});

test('loading that fails rejects, and the next mount loads the component again', async () => {
  let isReachable = false;
  const load = async () => {
    if (!isReachable) throw new Error('Loading chunk lamp failed.');
    return { default: Lamp };
  };
  await expect(loadComponent(load)).rejects.toThrow('Loading chunk');
  isReachable = true;
  render(<Room load={load} />);
  await screen.findByText('lit');
});
