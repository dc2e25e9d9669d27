// A board that takes clicks and drags. The picture comes ready from the server (board_picture.py);
// here is only what has to answer without delay: which stone is held, and where it may go.
export default {
  template: `
    <div class="zl-board" :class="{ 'zl-editing': editing }" role="img" :aria-label="label">
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
        <circle v-if="held !== null && drag" class="zl-drag" :cx="drag[0]" :cy="drag[1]" r="15" />
      </svg>
    </div>`,
  props: {
    svg: String,
    label: String,
    width: Number,
    height: Number,
    places: Array,
    single: Object, // cell -> move
    steps: Object, // cell -> { cell -> move }
    editing: Boolean,
    dots: Boolean, // whether legal cells show a dot
  },
  data() {
    return { held: null, hovered: null, drag: null, moved: false };
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
      const cell = this.cellAt(this.point(event));
      if (cell === null) {
        this.held = null;
        return;
      }
      if (this.editing) {
        this.$emit("cell", cell);
      } else if (this.held !== null && cell in (this.steps[this.held] || {})) {
        this.play(this.steps[this.held][cell]);
      } else if (cell in this.single) {
        this.play(this.single[cell]);
      } else if (cell in this.steps && cell !== this.held) {
        this.held = cell;
        this.moved = false;
        this.drag = null;
        this.$refs.hits.setPointerCapture(event.pointerId);
      } else {
        this.held = null;
      }
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
