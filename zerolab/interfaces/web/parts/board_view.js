// A board that takes clicks and drags. The picture comes ready from the server (board_picture.py);
// here is only what has to answer without delay: which stone is held, and where it may go. With the
// keyboard, arrows move a cursor from cell to cell, and Enter does what a click there does.
export default {
  template: `
    <div class="zl-board" :class="{ 'zl-editing': editing }" role="img" :aria-label="label"
         :style="{ '--zl-ratio': width / height }"
         :tabindex="isLive ? 0 : null" @keydown="key" @mousedown.prevent @blur="cursor = null">
      <div class="zl-art" v-html="svg"></div>
      <svg class="zl-hits" :viewBox="'0 0 ' + width + ' ' + height" ref="hits"
           :class="{ 'zl-live': isLive }"
           @pointerdown="down" @pointermove="over" @pointerup="up" @pointerleave="hovered = null"
           @pointercancel="held = null">
        <rect v-if="held !== null" class="zl-held" :x="at(held)[0] - 20" :y="at(held)[1] - 20"
              width="40" height="40" rx="4" />
        <g v-for="cell in targets" :key="cell">
          <circle class="zl-target" :cx="at(cell)[0]" :cy="at(cell)[1]"
                  :r="held !== null ? 17.5 : 5" :class="{ 'zl-ring': held !== null }" />
        </g>
        <circle v-if="hovered !== null && canHover(hovered)" class="zl-hover"
                :cx="at(hovered)[0]" :cy="at(hovered)[1]" r="17.5" />
        <rect v-if="cursor !== null" class="zl-cursor" :x="at(cursor)[0] - 19"
              :y="at(cursor)[1] - 19" width="38" height="38" rx="4" />
        <circle v-if="held !== null && drag" class="zl-drag" :cx="drag[0]" :cy="drag[1]" r="15" />
      </svg>
      <span class="zl-spoken" aria-live="polite">{{ cursor === null ? "" : names[cursor] }}</span>
    </div>`,
  props: {
    svg: String,
    label: String,
    width: Number,
    height: Number,
    places: Array,
    names: Array, // of cells, for those who hear the page
    single: Object, // cell -> move
    steps: Object, // cell -> { cell -> move }
    editing: Boolean,
    dots: Boolean, // whether legal cells show a dot
  },
  data() {
    return { held: null, hovered: null, drag: null, moved: false, cursor: null };
  },
  computed: {
    isLive() {
      return this.editing || Object.keys(this.single).length + Object.keys(this.steps).length > 0;
    },
    targets() {
      if (this.editing) return [];
      if (this.held !== null) return Object.keys(this.steps[this.held] || {}).map(Number);
      if (!this.dots) return [];
      return Object.keys(this.single).map(Number);
    },
  },
  watch: {
    svg() {
      if (this.held !== null && !(this.held in this.steps)) this.held = this.drag = null;
    },
  },
  methods: {
    at(cell) {
      return this.places[cell] || [0, 0];
    },
    point(event) {
      const box = this.$refs.hits.getBoundingClientRect();
      return [
        ((event.clientX - box.left) * this.width) / box.width,
        ((event.clientY - box.top) * this.height) / box.height,
      ];
    },
    cellAt([x, y]) {
      let best = null;
      let least = 24 * 24;
      this.places.forEach(([px, py], cell) => {
        const distance = (px - x) ** 2 + (py - y) ** 2;
        if (distance < least) [best, least] = [cell, distance];
      });
      return best;
    },
    canHover(cell) {
      return this.editing || cell in this.single || (this.held === null && cell in this.steps);
    },
    down(event) {
      this.cursor = null;
      this.$el.blur(); // so that arrow keys walk through the game again
      const cell = this.cellAt(this.point(event));
      if (this.press(cell)) this.$refs.hits.setPointerCapture(event.pointerId);
    },
    press(cell) {
      // Whether a stone was taken up, which may be dragged.
      if (cell === null) {
        this.held = null;
      } else if (this.editing) {
        this.$emit("cell", cell);
      } else if (this.held !== null && cell in (this.steps[this.held] || {})) {
        this.play(this.steps[this.held][cell]);
      } else if (cell in this.single) {
        this.play(this.single[cell]);
      } else if (cell in this.steps && cell !== this.held) {
        this.held = cell;
        this.moved = false;
        this.drag = null;
        return true;
      } else {
        this.held = null;
      }
      return false;
    },
    key(event) {
      if (!this.isLive || event.ctrlKey || event.metaKey || event.altKey) return;
      const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
      if (event.key in ways) {
        this.cursor = this.cursor === null ? this.first() : this.beside(this.cursor, ways[event.key]);
      } else if ((event.key === "Enter" || event.key === " ") && this.cursor !== null) {
        this.press(this.cursor);
      } else if (event.key === "Escape") {
        this.held = null;
      } else {
        return;
      }
      event.preventDefault();
      event.stopPropagation(); // the page has other uses for arrows
    },
    first() {
      const live = [...Object.keys(this.single), ...Object.keys(this.steps)].map(Number);
      return this.editing || !live.length ? 0 : Math.min(...live);
    },
    beside(cell, [dx, dy]) {
      const [x, y] = this.at(cell);
      let best = cell;
      let least = Infinity;
      this.places.forEach(([px, py], other) => {
        const along = (px - x) * dx + (py - y) * dy;
        const across = Math.abs((px - x) * dy) + Math.abs((py - y) * dx);
        if (along > 1 && along + 3 * across < least) [best, least] = [other, along + 3 * across];
      });
      return best;
    },
    over(event) {
      const place = this.point(event);
      this.hovered = event.pointerType === "mouse" ? this.cellAt(place) : null;
      if (this.held !== null && event.buttons === 1) {
        const [x, y] = this.at(this.held);
        if (Math.hypot(place[0] - x, place[1] - y) > 8) this.moved = true;
        this.drag = this.moved ? place : null;
      }
    },
    up(event) {
      if (this.held !== null && this.moved) {
        const cell = this.cellAt(this.point(event));
        const move = (this.steps[this.held] || {})[cell];
        if (move !== undefined) this.play(move);
        this.held = null;
      }
      this.drag = null;
      this.moved = false;
    },
    play(move) {
      this.held = this.drag = null;
      this.$emit("move", move);
    },
  },
};
