import { Suspense } from 'react';
import { type ListToolbarProps, lazyComponent } from '#kernel';
import { jobInstanceMenu } from '../menus.ts';

const ReplayButton = lazyComponent(() => import('./ReplayItem.tsx'));

/** Adds the replay to the toolbar of the runs. */
export function RunToolbar(props: ListToolbarProps) {
  if (props.crud.menu !== jobInstanceMenu.code) return null;
  return (
    <Suspense>
      <ReplayButton {...props} />
    </Suspense>
  );
}
