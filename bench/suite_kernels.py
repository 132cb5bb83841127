"""What bench/run.py measures of bench/kernels: sizes, operation counts, peers.

Sizes are one for tests (no multiple of anything), one of some megabytes and one that fills an
H200. Operations are the least that any algorithm of the kind needs: of a symmetric result one
half, of a masked one what is not masked. References: bench/runner/references.
"""

from suite_entry import Entry, square


def product(small: str, medium: int, full: int, peers: list[str] | None = None, **more) -> Entry:
    return Entry(square("m n k", [medium]), square("m n k", [full])[0], small, "2*m*n*k",
                 peers=peers or [], **more)


def image(flops: str, medium: int = 4096, full: int = 16384, names: str = "h w", **more) -> Entry:
    first, second = names.split()
    return Entry(square(names, [medium]), square(names, [full])[0], f"{first}=21,{second}=70",
                 flops, **more)


def rows(flops: str, **more) -> Entry:
    return Entry(["n=4096,m=1024"], "n=65536,m=4096", "n=37,m=45", flops, **more)


def vectors(flops: str, **more) -> Entry:
    return Entry(["n=4096"], "n=16384", "n=45", flops, **more)


SMALL_PRODUCT = "m=33,n=65,k=17"
INNER = "(n-2)*(n-2)*(n-2)"
TRIANGLE = "(n-k)*(n-k+1)//2"

KERNELS = {
    # Products.
    "abt": product(SMALL_PRODUCT, 1024, 4096, ["cublasSgemm"]),
    "atb": product(SMALL_PRODUCT, 1024, 4096, ["cublasSgemm"]),
    "mm_2out": product(SMALL_PRODUCT, 1024, 4096),
    "mm_acc": product(SMALL_PRODUCT, 1024, 4096, ["cublasSgemm"], updates=["c"],
                      reals={"alpha": 1.5, "beta": 0.5}),
    "mm_col": product(SMALL_PRODUCT, 1024, 4096, ["cublasSgemm"]),
    "mm_gs": product(SMALL_PRODUCT, 1024, 4096, ["cublasSgemm"]),
    "sh_mm": product(SMALL_PRODUCT, 1024, 4096, ["cublasSgemm"], blocks=[(32, 32, 1)]),
    "i64mm": Entry(square("m n k", [1024]), "m=2048,n=2048,k=2048", SMALL_PRODUCT, "0"),
    "hmm": Entry(["m=1024,n=1024,k=128"], "m=4096,n=4096,k=256", SMALL_PRODUCT, "2*m*n*k"),
    "mm_ld": Entry(["m=1024,n=1024,k=1024,lda=1040,ldb=1040,ldc=1040"],
                   "m=4096,n=4096,k=4096,lda=4160,ldb=4160,ldc=4160",
                   "m=33,n=65,k=17,lda=20,ldb=70,ldc=67", "2*m*n*k", bytes="4*(m*k+k*n+m*n)",
                   peers=["cublasSgemm"]),
    "bgemm": Entry(["m=512,n=512,k=512,batch=16"], "m=1024,n=1024,k=1024,batch=32",
                   "m=17,n=33,k=9,batch=3", "2*batch*m*n*k", peers=["cublasSgemmStridedBatched"]),
    "bgemm_s": Entry(["m=512,n=512,k=512,batch=16,sa=262208,sb=262208,sc=262208"],
                     "m=1024,n=1024,k=1024,batch=32,sa=1048640,sb=1048640,sc=1048640",
                     "m=17,n=33,k=9,batch=3,sa=160,sb=300,sc=565", "2*batch*m*n*k",
                     bytes="4*batch*(m*k+k*n+m*n)", peers=["cublasSgemmStridedBatched"]),
    "const_mm": Entry(["m=65536"], "m=262144", "m=37", "2*m*96*128", peers=["cublasSgemm"]),
    "conv1x1_nhwc": Entry(["P=12544,C=64,K=256"], "P=100352,C=256,K=256", "P=37,C=20,K=33",
                          "2*P*C*K"),
    "doitgen": Entry(["nr=64,nq=64,np=256"], "nr=256,nq=256,np=512", "nr=5,nq=7,np=37",
                     "2*nr*nq*np*np", peers=["cublasSgemm"]),
    "attn": Entry(["B=4,H=16,S=1024,D=64"], "B=8,H=16,S=2048,D=128", "B=2,H=3,S=37,D=20",
                  "B*H*S*(S+1)*D"),
    "minplus": Entry(["n=1024"], "n=4096", "n=45", "0"),
    "pairdist": Entry(["n=2048,m=2048,d=64"], "n=8192,m=8192,d=128", "n=33,m=65,d=17", "3*n*m*d"),
    "syrk": Entry(["n=1024,m=1024"], "n=4096,m=4096", "n=37,m=20", "n*(n+1)*m",
                  bytes="4*n*m+4*n*(n+1)", peers=["cublasSsyrk"], updates=["C"],
                  reals={"alpha": 1.5, "beta": 0.5}),
    "syr2k": Entry(["n=1024,m=1024"], "n=2048,m=2048", "n=37,m=20", "4*n*n*m", updates=["C"],
                   reals={"alpha": 1.5, "beta": 0.5}),
    "trmm": Entry(["m=1024,n=1024"], "m=4096,n=4096", "m=33,n=65", "m*(m-1)*n",
                  bytes="2*m*(m-1)+8*m*n"),
    "chol_upd": Entry(["n=2048,k=1024"], "n=8192,k=4096", "n=45,k=13", f"2*k*{TRIANGLE}",
                      bytes=f"4*(n-k)*k+8*{TRIANGLE}", updates=["A"]),
    "covar": Entry(["n=512,m=512"], "n=1024,m=1024", "n=37,m=45", "n*m*(m+1)"),
    "corr": Entry(["n=1024,m=1024"], "n=4096,m=4096", "n=37,m=45", "n*m*(m-1)",
                  fill={"dev": "positive"}),
    # Sums.
    "bandmv": Entry(["n=1048576,kl=16"], "n=8388608,kl=32", "n=203,kl=5", "2*n*(2*kl+1)-2*kl*(kl+1)",
                    bytes="4*(n*(2*kl+1)-kl*(kl+1)+2*n)"),
    "bicg": Entry(["n=4096,m=4096"], "n=16384,m=16384", "n=37,m=45", "4*n*m"),
    "gemver2": vectors("2*n*n+n", updates=["x"], reals={"beta": 1.5}),
    "gesummv": vectors("4*n*n+3*n", updates=["tmp", "y"], reals={"alpha": 1.5, "beta": 0.5}),
    "spmv_ell": Entry(["n=1048576,w=32"], "n=8388608,w=64", "n=203,w=9", "2*n*w"),
    "poly": Entry(["n=65536,m=1024"], "n=1048576,m=2048", "n=70,m=33", "2*n*m"),
    "nbody_soa": Entry(["n=16384"], "n=65536", "n=70", "13*n*n", updates=["fx", "fy"],
                       reals={"eps": 0.01}),
    "hist2d": image("0", names="n m", updates=["h"]),
    # Rows.
    "argmax_r": rows("0"),
    "layernorm": rows("6*n*m"),
    "softmax_r": rows("3*n*m"),
    "rowcopy": rows("n*m"),
    # Images and other stencils.
    "conv_zero": Entry(["h=2048,w=2048,r=4"], "h=8192,w=8192,r=8", "h=19,w=70,r=2",
                       "2*h*w*(2*r+1)*(2*r+1)-4*(h+w)*r*(r+1)*(2*r+1)",
                       peers=["cudnnConvolutionForward"]),
    "conv_nchw": Entry(["N=8,C=64,H=56,W=56,K=64"], "N=32,C=64,H=112,W=112,K=64",
                       "N=2,C=3,H=9,W=21,K=4", "2*N*K*C*(3*H-2)*(3*W-2)"),
    "depthwise": Entry(["C=64,H=112,W=112"], "C=256,H=512,W=512", "C=3,H=9,W=21", "18*C*H*W"),
    "dilated": Entry(["h=4096,w=4096,d=2"], "h=16384,w=16384,d=4", "h=19,w=70,d=2", "18*h*w",
                     peers=["cudnnConvolutionForward"]),
    "strided": image("18*h*w", 2048, 8192, peers=["cudnnConvolutionForward"]),
    "sepcol": image("18*h*w"),
    "stencil1r": Entry(["n=4194304,r=16"], "n=268435456,r=16", "n=203,r=5", "2*n*(2*r+1)"),
    "clamp_blur": image("0"),
    "maxpool": image("0", 2048, 8192),
    "jacobi2": image("5*(n-2)*(m-2)", names="n m", updates=["b"], bytes="8*(n-2)*(m-2)"),
    "heat3": Entry(["n=256"], "n=512", "n=13", f"10*{INNER}", updates=["b"], bytes=f"16*{INNER}"),
    "heat3_march": Entry(["n=256"], "n=512", "n=13", f"7*{INNER}", updates=["b"],
                         bytes=f"8*{INNER}"),
    # Moves, and few operations.
    "im2col": Entry(["C=64,H=112,W=112"], "C=256,H=224,W=224", "C=3,H=9,W=21", "0"),
    "perm021": Entry(["a0=16,a1=1024,a2=1024"], "a0=64,a1=2048,a2=2048", "a0=3,a1=21,a2=37", "0"),
    "rot90": image("0"),
    "sh_t": image("0", blocks=[(16, 16, 1)], peers=["cublasSgeam", "copy"]),
    "t_flat": image("0", peers=["cublasSgeam", "copy"]),
    "u8t": image("0", peers=["copy"]),
    "upsample": image("0", 2048, 8192),
    "batchnorm": Entry(["N=32,C=64,P=3136"], "N=128,C=256,P=3136", "N=3,C=5,P=37", "2*N*C*P",
                       updates=["x"]),
    "floyd": Entry(["n=4096,k=17"], "n=16384,k=100", "n=45,k=7", "n*n", updates=["d"]),
    "lu_step": Entry(["n=4096,k=17"], "n=16384,k=100", "n=45,k=7", "2*(n-k-1)*(n-k-1)",
                     bytes="8*(n-k-1)*(n-k-1)", updates=["a"]),
    "gemver1": vectors("4*n*n", updates=["A"]),
}
