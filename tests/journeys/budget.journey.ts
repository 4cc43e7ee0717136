import { existsSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { createRsbuild, loadConfig } from '@rsbuild/core';
import { openParams, signInThroughPage } from './console.ts';
import { Product } from './product.ts';
import { bytesOf, Transfers } from './transfers.ts';
