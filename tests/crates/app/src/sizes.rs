//! Call trees at their limits: very wide, and as deep as they may be.

use warp::prelude::*;

macro_rules! link {
    ($($name:ident $next:ident)*) => { $(
        #[func]
        fn $name(x: f32) -> f32 {
            $next(x) + 1.0
        }
    )* };
}

// Thirty-nine calls, and one of the last: the limit is forty.
link! {
    d1 d2 d2 d3 d3 d4 d4 d5 d5 d6 d6 d7 d7 d8 d8 d9 d9 d10 d10 d11 d11 d12 d12 d13 d13 d14 d14 d15 d15 d16 d16 d17
    d17 d18 d18 d19 d19 d20 d20 d21 d21 d22 d22 d23 d23 d24 d24 d25 d25 d26 d26 d27 d27 d28 d28 d29 d29 d30 d30 d31
    d31 d32 d32 d33 d33 d34 d34 d35 d35 d36 d36 d37 d37 d38 d38 d39 d39 d40
}

#[func]
fn d40(x: f32) -> f32 {
    x * 2.0
}

/// Calls forty deep.
#[kernel]
pub fn deep(out: &mut [f32]) {
    let i = tid();
    out[i] = d1(out[i]);
}

/// Calls thirty-eight deep.
#[kernel]
pub fn less_deep(out: &mut [f32]) {
    let i = tid();
    out[i] = d3(out[i]);
}

macro_rules! wide {
    ($($name:ident $k:literal)*) => {
        $(
            #[func]
            fn $name(x: u32) -> u32 {
                x.rotate_left($k % 32) ^ ((x & 1) * $k)
            }
        )*

        /// Calls three hundred functions.
        #[kernel]
        pub fn wide(out: &mut [u32]) {
            let i = tid();
            let mut x = out[i];
            $( x = $name(x); )*
            out[i] = x;
        }

        /// What the kernel computes, without it.
        pub fn expected(x: u32) -> u32 {
            let mut x = x;
            $( x = x.rotate_left($k % 32) ^ ((x & 1) * $k); )*
            x
        }
    };
}

wide! {
    w1 1 w2 2 w3 3 w4 4 w5 5 w6 6 w7 7 w8 8 w9 9 w10 10 w11 11 w12 12 w13 13 w14 14 w15 15 w16 16 w17 17 w18 18 w19 19
    w20 20 w21 21 w22 22 w23 23 w24 24 w25 25 w26 26 w27 27 w28 28 w29 29 w30 30 w31 31 w32 32 w33 33 w34 34 w35 35
    w36 36 w37 37 w38 38 w39 39 w40 40 w41 41 w42 42 w43 43 w44 44 w45 45 w46 46 w47 47 w48 48 w49 49 w50 50 w51 51
    w52 52 w53 53 w54 54 w55 55 w56 56 w57 57 w58 58 w59 59 w60 60 w61 61 w62 62 w63 63 w64 64 w65 65 w66 66 w67 67
    w68 68 w69 69 w70 70 w71 71 w72 72 w73 73 w74 74 w75 75 w76 76 w77 77 w78 78 w79 79 w80 80 w81 81 w82 82 w83 83
    w84 84 w85 85 w86 86 w87 87 w88 88 w89 89 w90 90 w91 91 w92 92 w93 93 w94 94 w95 95 w96 96 w97 97 w98 98 w99 99
    w100 100 w101 101 w102 102 w103 103 w104 104 w105 105 w106 106 w107 107 w108 108 w109 109 w110 110 w111 111
    w112 112 w113 113 w114 114 w115 115 w116 116 w117 117 w118 118 w119 119 w120 120 w121 121 w122 122 w123 123
    w124 124 w125 125 w126 126 w127 127 w128 128 w129 129 w130 130 w131 131 w132 132 w133 133 w134 134 w135 135
    w136 136 w137 137 w138 138 w139 139 w140 140 w141 141 w142 142 w143 143 w144 144 w145 145 w146 146 w147 147
    w148 148 w149 149 w150 150 w151 151 w152 152 w153 153 w154 154 w155 155 w156 156 w157 157 w158 158 w159 159
    w160 160 w161 161 w162 162 w163 163 w164 164 w165 165 w166 166 w167 167 w168 168 w169 169 w170 170 w171 171
    w172 172 w173 173 w174 174 w175 175 w176 176 w177 177 w178 178 w179 179 w180 180 w181 181 w182 182 w183 183
    w184 184 w185 185 w186 186 w187 187 w188 188 w189 189 w190 190 w191 191 w192 192 w193 193 w194 194 w195 195
    w196 196 w197 197 w198 198 w199 199 w200 200 w201 201 w202 202 w203 203 w204 204 w205 205 w206 206 w207 207
    w208 208 w209 209 w210 210 w211 211 w212 212 w213 213 w214 214 w215 215 w216 216 w217 217 w218 218 w219 219
    w220 220 w221 221 w222 222 w223 223 w224 224 w225 225 w226 226 w227 227 w228 228 w229 229 w230 230 w231 231
    w232 232 w233 233 w234 234 w235 235 w236 236 w237 237 w238 238 w239 239 w240 240 w241 241 w242 242 w243 243
    w244 244 w245 245 w246 246 w247 247 w248 248 w249 249 w250 250 w251 251 w252 252 w253 253 w254 254 w255 255
    w256 256 w257 257 w258 258 w259 259 w260 260 w261 261 w262 262 w263 263 w264 264 w265 265 w266 266 w267 267
    w268 268 w269 269 w270 270 w271 271 w272 272 w273 273 w274 274 w275 275 w276 276 w277 277 w278 278 w279 279
    w280 280 w281 281 w282 282 w283 283 w284 284 w285 285 w286 286 w287 287 w288 288 w289 289 w290 290 w291 291
    w292 292 w293 293 w294 294 w295 295 w296 296 w297 297 w298 298 w299 299 w300 300
}
