/** Version of the kernel, equal to that in package.json. Built-in plugins without a version of their own have it too. */
export const kernelVersion = '0.1.0';
