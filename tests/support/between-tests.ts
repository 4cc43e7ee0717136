import { afterEach } from '@rstest/core';
import { cleanup, configure } from '@testing-library/react';
import { endKernels } from './test-kernel.ts';

/** A machine that is busy draws late, and is given time. */
configure({ asyncUtilTimeout: 10_000 });

/** Said here, for every file: what files share is loaded once, and what it says while it is loaded is heard by the first of them alone. */
afterEach(async () => {
  cleanup();
  await endKernels();
});
