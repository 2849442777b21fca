// SPDX-License-Identifier: MIT
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { PointerTools } from '../edit/pointer_tools';
import type { OverlayKeeper } from '../state/overlays';
import type { Studio } from '../state/studio';
import type { Theme } from '../state/theme';
import type { Visitor } from '../state/visitor';
import type { Stage } from '../view/stage';

export interface App {
  studio: Studio;
  stage: Stage;
  overlays: OverlayKeeper;
  tools: PointerTools;
  theme: Theme;
  visitor: Visitor;
}

export const AppContext = createContext<App | null>(null);

export function use_app(): App {
  const app = useContext(AppContext);
  if (!app) throw new Error('outside of the studio');
  return app;
}
