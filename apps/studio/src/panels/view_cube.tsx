// SPDX-License-Identifier: MIT
// A small cube that stands as the scene does: it says where north is, and each of its sides is a place to look from.
import { useEffect, useRef } from 'preact/hooks';
import { use_app } from './context';

const kLowTilt = 1.25;

/** Sides by the azimuth from which one sees them; none: from above. */
const kSides: readonly { name: string; azimuth: number | null; turn: string }[] = [
  { name: 'top', azimuth: null, turn: '' },
  { name: 'S', azimuth: -Math.PI / 2, turn: 'rotateX(-90deg)' },
  { name: 'E', azimuth: 0, turn: 'rotateZ(-90deg) rotateX(-90deg)' },
  { name: 'N', azimuth: Math.PI / 2, turn: 'rotateZ(180deg) rotateX(-90deg)' },
  { name: 'W', azimuth: Math.PI, turn: 'rotateZ(90deg) rotateX(-90deg)' },
];

export function ViewCube() {
  const { stage } = use_app();
  const cube = useRef<HTMLSpanElement>(null);
  const shown = useRef(0);
  useEffect(() => {
    stage.rig.watch_turn((azimuth, tilt) => {
      if (cube.current) cube.current.style.transform = `rotateX(${tilt}rad) rotateZ(${azimuth + Math.PI / 2}rad)`;
    });
    return () => stage.rig.watch_turn(null);
  }, []);
  const show = (side: (typeof kSides)[number]) => {
    shown.current = kSides.indexOf(side);
    if (side.azimuth === null) stage.rig.top(true);
    else stage.rig.look_from(side.azimuth, kLowTilt);
    stage.invalidate();
  };
  return (
    <button
      class="float view-cube" title="Click a side to look from there; again and again from the keyboard: each in turn" aria-label="Look from the next side"
      onClick={(event) => {
        const pressed = event.target instanceof HTMLElement ? event.target.dataset['side'] : undefined;
        show(kSides.find((side) => side.name === pressed) ?? (kSides[(shown.current + 1) % kSides.length] as (typeof kSides)[number]));
      }}
    >
      <span ref={cube} class="cube">{kSides.map((side) => <i key={side.name} data-side={side.name} style={{ transform: `${side.turn} translateZ(17px)` }} />)}</span>
    </button>
  );
}
